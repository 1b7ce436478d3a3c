/// A place in the stream of events, behind all that the kernel has queued so far and that have not been delivered yet.
package enum EventBarrier {
    /// Whether the kernel has queued events that nobody has read. Makes a system call.
    package static var isNeeded: Bool { WatchHub.shared.hasUnreadEvents }

    /// Calls `action` on a thread of the pool, once all events that have happened until now are delivered.
    package static func whenPassed(_ action: @escaping @Sendable () -> Void) {
        WatchHub.shared.addBarrier(action)
    }
}
