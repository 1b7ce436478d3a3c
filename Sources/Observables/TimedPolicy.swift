/// What an operator that waits decides; pure. What it drops is handed out, to be released outside of the lock.
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
    /// When to wake. It replaces an earlier alarm, as soon as that one has gone off.
    var alarm: Instant?
}
