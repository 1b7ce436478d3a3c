public import Dispatch

/// Values that come one after the other: the read side of every observable in this package.
///
/// Every stream promises to each subscription:
///
/// - **Order.** Values are delivered in the order in which they were published; nothing older follows something newer.
/// - **Conflation.** While a call is in progress only the newest value waits. There is no buffer, and the last value
///   always arrives.
/// - **First value.** If there is a current value, it comes first, exactly once.
/// - **Calls.** One at a time.
/// - **didSet.** Values are stored first. A handler that reads its subject sees the value it is called with, or a newer
///   one.
/// - **Re-entrancy.** A handler may send, subscribe, cancel, and release its own subscription and the subject. What it
///   sends is delivered to it after it has returned.
/// - **Cancelling.** See `Subscription.cancel()`. The handler and what it holds are released.
///
/// Operators are descriptions: nothing happens until there is a subscription, and each subscription has its own state.
/// Closures that come before `receive(on:)`, `debounce`, `throttle`, `sink(on:)` or `values` are called where values
/// are sent; closures that come after them are called where these deliver. Values that are skipped because a call is in
/// progress never reach an operator, so that `filter` may miss a value that came and went meanwhile. Values may also be
/// skipped after an operator, at a `receive(on:)`, say. Whatever follows may then get equal values in a row, even if
/// the stream delivers none; `removeDuplicates` leaves them out.
public protocol ValueStream<Element>: Sendable {
    /// The type of the values.
    associatedtype Element: Sendable

    /// Calls `handler` with values until the subscription is cancelled or released.
    ///
    /// - Parameters:
    ///   - queue: Where to call `handler`, never within `sink` itself. Nil means where values are sent.
    ///   - handler: Called with one value after the other, never concurrently.
    func sink(on queue: DispatchQueue?, _ handler: @escaping @Sendable (Element) -> Void) -> Subscription

    /// The values as a sequence: each iteration starts with the current value, then gets changes; only the newest is
    /// kept.
    var values: ValueSequence<Element> { get }
}

extension ValueStream {
    /// Calls `handler` with values, where they are sent, until the subscription is cancelled or released.
    public func sink(_ handler: @escaping @Sendable (Element) -> Void) -> Subscription {
        sink(on: nil, handler)
    }

    /// The values as a sequence: each iteration starts with the current value, if there is one, then gets changes; only
    /// the newest is kept.
    public var values: ValueSequence<Element> {
        ValueSequence { StreamReader(self) }
    }

    /// Moves everything after it to the queue. If that is not a serial queue, calls are still made one at a time.
    public func receive(on queue: DispatchQueue) -> DerivedStream<Element> {
        DerivedStream(removingDuplicates: (self as? DerivedStream<Element>)?.areEqual) { sink(on: queue, $0) }
    }
}
