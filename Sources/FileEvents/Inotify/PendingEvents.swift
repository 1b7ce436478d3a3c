/// Waits for what the kernel has told already.
package enum PendingEvents {
    /// Calls `action` on a thread of the pool, after everything that happened until now was handed on.
    package static func whenHandedOn(_ action: @escaping @Sendable () -> Void) {
        WatchHub.shared.afterPendingEvents(action)
    }
}
