import Dispatch
import SystemCalls

/// A handler's call during which its subscription was cancelled, for those that wait until it ends.
final class CallInProgress: Sendable {
    private let group = DispatchGroup()
    /// Guards nothing: tells the sanitizer that what the call did has happened before the waiting ends, as the group does.
    private let order = Guarded(())

    init() { group.enter() }

    /// Not inlined: the code that calls handlers would be too large to be inlined itself.
    @inline(never)
    func end() {
        order.withLock { _ in }
        group.leave()
    }

    func wait() {
        group.wait()
        order.withLock { _ in }
    }
}
