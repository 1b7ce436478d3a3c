import SystemCalls

@testable import Observables

extension Channel {
    /// How many handlers are subscribed. A handler that is cancelled during its call counts until the call has ended.
    var subscriberCount: Int { core.state.withLock { $0.slots.count { $0.subscriber != nil } } }

    /// How many tasks are suspended in `PayloadReader.next`.
    var waiterCount: Int { core.waiterCount }
}
