/// A newest-value channel, as tokio's `watch`: one element, a version, and a slot for each subscriber, however slow.
///
/// The type around a `ChannelCore`, which knows none: see there why. A copy is the same channel.
package struct Channel<Element: Sendable>: Sendable {
    let core: ChannelCore

    package init(_ element: Element) {
        core = ChannelCore(Box(element))
    }

    /// The newest element.
    package var current: Element {
        Self.open(core.withState { $0.payload })
    }

    /// How many handlers are subscribed. One that was cancelled during its call counts until the call has ended.
    package var subscriberCount: Int {
        core.withState { $0.subscriberCount }
    }

    /// How many tasks are suspended in `PayloadReader.next`.
    package var waiterCount: Int { core.waiterCount }

    /// Stores the element. What is ready must be run, outside of all locks; nothing has been called yet.
    package func publish(_ element: Element) -> ReadyList {
        exchange(element).ready
    }

    /// The same for who holds a lock of its own: what was replaced is handed out, to be released outside of that.
    func exchange(_ element: Element) -> (ready: ReadyList, old: Payload) {
        let box = Box(element)
        return core.withState { $0.publish(box) }
    }

    /// Publishes what `update` makes of the newest element; nil where it makes nothing. It is called under the lock: keep
    /// it short, and call nobody.
    package func publish(update: (Element) -> Element?) -> ReadyList? {
        core.publish { update(Self.open($0)).map(Box.init) }
    }

    /// Calls `handler` with the newest element (unless `initially` is false), then with changes: the newest only, one
    /// call at a time. With `.caller` the first call has ended when this returns; else it has not been made on this
    /// thread. The subscription cancels when it is released.
    package func subscribe(
        _ delivery: Delivery,
        initially: Bool = true,
        _ handler: @escaping @Sendable (Element) -> Void
    ) -> Subscription {
        core.subscribe(delivery, initially: initially) { handler(Self.open($0)) }
    }

    /// A place to read the elements in order from a task: the newest first (unless `initially` is false), then changes.
    package func makeReader(initially: Bool = true) -> ChannelReader<Element> {
        ChannelReader(PayloadReader(core, seen: initially ? 0 : core.withState { $0.version }), Self.open)
    }

    /// Only this type puts anything into its core, and it is always a box of its own elements.
    static func open(_ payload: Payload) -> Element {
        unsafe unsafeDowncast(payload, to: Box<Element>.self).element
    }
}

private final class Box<Element: Sendable>: Sendable {
    let element: Element

    init(_ element: Element) {
        self.element = element
    }
}
