/// Comes after what the kernel has told already, and has not been handed on.
package enum EventBarrier {
    /// Calls `action` on a thread of the pool, once everything that happened until now was handed on.
    package static func whenPassed(_ action: @escaping @Sendable () -> Void) {
        WatchHub.shared.addBarrier(action)
    }
}
