import Observables

/// The `Channel` of a `GroupFile`. It carries objects, which need no box.
///
/// Generic by the value alone: a caller has that type's metadata at hand, while that of `AcceptedState` would be looked
/// up at every call. For that reason it cannot be a general channel of objects in another module either.
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

    /// Publishes what `update` makes of the newest state; returns nil if that is nothing. `update` is called under the
    /// lock: keep it short, and call nobody. What is ready must be run, outside of all locks.
    func publish(update: (State) -> State?) -> ReadyList? {
        core.publish { payload in update(Self.open(payload)) }
    }

    /// The same, but nobody is notified: it is what is delivered next.
    func replace(update: (State) -> State?) {
        core.replace { payload in update(Self.open(payload)) }
    }

    /// As `Channel.subscribe`.
    func subscribe(_ delivery: Delivery, _ handler: @escaping @Sendable (State) -> Void) -> Subscription {
        core.subscribe(delivery, initially: true) { handler(Self.open($0)) }
    }

    /// As `Channel.makeReader`. The payloads that it reads have to be opened.
    func makeReader() -> PayloadReader {
        PayloadReader(core, seen: 0)
    }

    /// Only this type puts anything into its core.
    static func open(_ payload: Payload) -> State {
        unsafe unsafeDowncast(payload, to: State.self)
    }
}
