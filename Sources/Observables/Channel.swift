import SystemCalls

/// A newest-value channel, as tokio's `watch`: one element, a version, and a slot for each subscriber, however slow.
///
/// Adds the element's type to a `ChannelCore`, which has none: see there why. A copy is the same channel.
package struct Channel<Element: Sendable>: Sendable {
    let core: ChannelCore

    package init(_ element: Element) {
        core = ChannelCore(Box(element))
    }

    /// The newest element.
    package var current: Element {
        Self.open(core.current)
    }

    /// Stores the element, and calls nothing. The caller has to run the result, outside of all locks.
    package func publish(_ element: Element) -> ReadyList {
        exchange(element).ready
    }

    /// The same for a caller that holds a lock of its own: also returns the old element, to be released outside of that
    /// lock.
    func exchange(_ element: Element) -> (ready: ReadyList, old: Payload) {
        let box = Box(element)
        return core.state.withLock { $0.publish(box) }
    }

    /// Publishes what `update` returns for the newest element; nil if that is nil. It is called under the lock: keep it
    /// short, and call no foreign code.
    func publish(update: (Element) -> Element?) -> ReadyList? {
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

    /// A place to read the elements in order from a task: the newest first, then changes.
    package func makeReader() -> ChannelReader<Element> {
        ChannelReader(PayloadReader(core, seen: 0), Self.open)
    }

    /// Only this type stores payloads in its core, and they are always boxes of its own elements.
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
