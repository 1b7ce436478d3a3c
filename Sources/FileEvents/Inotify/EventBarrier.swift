import SystemCalls

/// A place in the stream of events, behind all that the kernel has queued so far and that have not been delivered yet.
package enum EventBarrier {
    /// Whether events may have happened that are not delivered yet. For the thread that delivers events, these are still
    /// in the kernel's queue, at which it looks by a system call. Any other thread cannot know: that one may have read
    /// them, and be about to deliver them.
    package static var isNeeded: Bool { !Thread.isDelivering || WatchHub.shared.hasUnreadEvents }

    /// Calls `action` on a thread of the pool, once all events that have happened until now are delivered.
    package static func whenPassed(_ action: @escaping @Sendable () -> Void) {
        WatchHub.shared.addBarrier(action)
    }
}
