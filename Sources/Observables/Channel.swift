import SystemCalls

/// A newest-value channel, like tokio's `watch`. It holds one element, a version, and one slot per subscriber, however
/// slow that subscriber is.
///
/// A typed wrapper around a `ChannelCore`, whose documentation says why the core is not generic. Copies share one
/// channel.
package struct Channel<Element: Sendable>: Sendable {
    let core: ChannelCore

    package init(_ element: Element) {
        core = ChannelCore(Box(element))
    }

    /// The newest element.
    package var current: Element {
        Self.open(core.current)
    }

    /// Stores the element without calling any handler. The caller must run the returned list, outside of all locks.
    package func publish(_ element: Element) -> ReadyList {
        exchange(element).ready
    }

    /// Like `publish(_:)`, for a caller that holds a lock of its own: also returns the old element, so that the caller
    /// can release it outside of that lock.
    func exchange(_ element: Element) -> (ready: ReadyList, old: Payload) {
        let box = Box(element)
        return core.state.withLock { $0.publish(box) }
    }

    /// Publishes what `update` returns for the newest element. If `update` returns nil, nothing is published and the
    /// result is nil. `update` runs under the channel's lock: keep it short, and call no foreign code in it.
    func publish(update: (Element) -> Element?) -> ReadyList? {
        core.publish { update(Self.open($0)).map(Box.init) }
    }

    /// Calls `handler` with the newest element (unless `initially` is false), then with changes: always the newest
    /// element only, one call at a time. With `.caller` the first call has ended when this returns; with any other
    /// delivery, no call has been made on this thread by then. Releasing the subscription cancels it.
    package func subscribe(
        _ delivery: Delivery,
        initially: Bool = true,
        _ handler: @escaping @Sendable (Element) -> Void
    ) -> Subscription {
        core.subscribe(delivery, initially: initially) { handler(Self.open($0)) }
    }

    /// A reader for one task. It returns the newest element first, then changes, in order.
    package func makeReader() -> ChannelReader<Element> {
        ChannelReader(PayloadReader(core, seen: 0), Self.open)
    }

    /// The cast is safe: only this type stores payloads in its core, and they are always boxes of its own elements.
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
