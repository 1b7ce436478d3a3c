/// The decisions of an operator that waits. Pure: it returns the elements that it drops, so that the caller can release
/// them outside of the lock.
protocol TimedPolicy<Element, Instant>: Sendable {
    associatedtype Element: Sendable
    associatedtype Instant: InstantProtocol

    mutating func offer(_ element: Element, at now: Instant) -> TimedDecision<Element, Instant>

    /// The alarm that was set to `instant` went off.
    mutating func wake(from instant: Instant, at now: Instant) -> TimedDecision<Element, Instant>
}

struct TimedDecision<Element: Sendable, Instant: InstantProtocol>: Sendable {
    var emitted: Element?
    var dropped: Element?
    /// When to wake next. It takes effect once an earlier alarm has gone off.
    var alarm: Instant?
}
