import Dispatch

/// A handler's call during which its subscription was cancelled, for those that wait until it ends.
package final class CallInProgress: Sendable {
    private let group = DispatchGroup()
    /// Guards nothing: shows the sanitizer that the call happens before the end of the wait, which the group ensures.
    private let order = Guarded(())

    package init() { group.enter() }

    /// Not inlined: the code that calls handlers would be too large to be inlined itself.
    @inline(never)
    package func end() {
        order.withLock { _ in }
        group.leave()
    }

    package func wait() {
        group.wait()
        order.withLock { _ in }
    }
}
