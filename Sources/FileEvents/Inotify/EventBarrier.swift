/// Comes after the events that the kernel has queued already, and that have not been delivered yet.
package enum EventBarrier {
    /// Whether there are such events that nobody has read. A system call.
    package static var isNeeded: Bool { WatchHub.shared.hasUnreadEvents }

    /// Calls `action` on a thread of the pool, once everything that has happened until now is delivered.
    package static func whenPassed(_ action: @escaping @Sendable () -> Void) {
        WatchHub.shared.addBarrier(action)
    }
}
