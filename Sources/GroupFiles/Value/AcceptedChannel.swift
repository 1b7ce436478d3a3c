import Observables

/// The `Channel` of a `GroupFile`. It carries objects, which need no box.
///
/// Generic over the value alone, because a caller has the value type's metadata at hand, while that of `AcceptedState`
/// would be looked up at every call. For the same reason this cannot be a general channel of objects in another module.
struct AcceptedChannel<Value: Sendable>: Sendable {
    typealias State = AcceptedState<Value>

    private let core: ChannelCore

    init(_ state: State) {
        core = ChannelCore(state)
    }

    /// The newest state.
    var current: State { Self.open(core.current) }

    /// How many tasks are suspended in `PayloadReader.next`.
    var waiterCount: Int { core.waiterCount }

    /// Publishes what `update` returns for the newest state. If `update` returns nil, nothing is published and the
    /// result is nil. `update` is called under the lock: keep it short, and call nobody in it. The caller must run the
    /// returned list, outside of all locks.
    func publish(update: (State) -> State?) -> ReadyList? {
        core.publish { payload in update(Self.open(payload)) }
    }

    /// Replaces the newest state with what `update` returns, unless that is nil, without notifying anybody. The
    /// replacement is what is delivered next.
    func replace(update: (State) -> State?) {
        core.replace { payload in update(Self.open(payload)) }
    }

    /// As `Channel.subscribe`.
    func subscribe(_ delivery: Delivery, _ handler: @escaping @Sendable (State) -> Void) -> Subscription {
        core.subscribe(delivery, initially: true) { handler(Self.open($0)) }
    }

    /// As `Channel.makeReader`, but the caller has to `open` the payloads that the reader returns.
    func makeReader() -> PayloadReader {
        PayloadReader(core, seen: 0)
    }

    /// The cast is safe: only this type puts anything into its core.
    static func open(_ payload: Payload) -> State {
        unsafe unsafeDowncast(payload, to: State.self)
    }
}
