import Dispatch

/// A handler's call during which its subscription was cancelled, for those that wait until it ends.
package final class CallInProgress: Sendable {
    private let group = DispatchGroup()
    /// Its lock shows the sanitizer that the call happens before the end of the wait, which the group ensures.
    private let hasEnded = Guarded(false)

    package init() { group.enter() }

    /// Not inlined: the code that calls handlers would be too large to be inlined itself.
    @inline(never)
    package func end() {
        hasEnded.withLock { $0 = true }
        group.leave()
    }

    package func wait() {
        group.wait()
        hasEnded.withLock { _ in }
    }
}
