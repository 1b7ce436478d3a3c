/// What `Channel` is, for elements that are objects already: they need no box, so that a publication allocates none.
///
/// All of it is inlined: generic code that is called across modules asks for its types' metadata at every call.
package struct ObjectChannel<Object: AnyObject & Sendable>: Sendable {
    @usableFromInline let core: ChannelCore

    @inlinable @inline(__always)
    package init(_ object: Object) {
        core = ChannelCore(object)
    }

    /// The newest object.
    @inlinable @inline(__always)
    package var current: Object { Self.open(core.current) }

    /// How many tasks are suspended in `ChannelReader.next`.
    package var waiterCount: Int { core.withState { $0.waiters.count } }

    /// Publishes what `update` makes of the newest object; nil where it makes nothing. It is called under the lock: keep
    /// it short, and call nobody. What is ready must be run, outside of all locks.
    @inlinable @inline(__always)
    package func publish(update: (Object) -> Object?) -> ReadyList? {
        core.publish { payload in update(Self.open(payload)) }
    }

    /// As `Channel.subscribe`.
    @inlinable @inline(__always)
    package func subscribe(_ delivery: Delivery, _ handler: @escaping @Sendable (Object) -> Void) -> Subscription {
        core.subscribe(delivery, initially: true) { handler(Self.open($0)) }
    }

    /// As `Channel.makeReader`.
    package func makeReader() -> ChannelReader<Object> {
        ChannelReader(core, seen: 0, Self.open)
    }

    /// Only this type puts anything into its core.
    @inlinable @inline(__always)
    static func open(_ payload: Payload) -> Object {
        unsafe unsafeDowncast(payload, to: Object.self)
    }
}
