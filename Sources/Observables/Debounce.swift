import SystemCalls

extension ValueStream {
    /// The newest value, once the interval has passed without another. The current value is delayed, too.
    ///
    /// Handlers are called on a Dispatch thread, where they may take their time. Each subscription keeps one value and
    /// has one task that sleeps. Cancelling a subscription while its task sleeps leaves about 750 bytes in Swift's
    /// runtime until `interval` is over: if you subscribe often, do not use an interval of hours.
    public func debounce(
        for interval: Duration,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> DerivedStream<Element> {
        debounce(interval, clock)
    }

    private func debounce<C: Clock<Duration>>(_ interval: Duration, _ clock: C) -> DerivedStream<Element> {
        DerivedStream { handler in
            TimedRelay(Debounce<Element, C.Instant>(interval: interval), clock: clock).connect(self, to: handler)
        }
    }
}

/// Keeps the newest value until its quiet time is over.
struct Debounce<Element: Sendable, Instant: InstantProtocol>: TimedPolicy where Instant.Duration == Duration {
    private let interval: Duration
    private var pending: (element: Element, due: Instant)?

    init(interval: Duration) {
        self.interval = interval.withinClocks
    }

    mutating func offer(_ element: Element, at now: Instant) -> TimedDecision<Element, Instant> {
        let dropped = pending?.element
        let due = now.advanced(by: interval)
        pending = (element, due)
        return TimedDecision(dropped: dropped, alarm: due)
    }

    mutating func wake(from instant: Instant, at now: Instant) -> TimedDecision<Element, Instant> {
        // Compared with the alarm's instant, not with `now`: if a clock wakes early, the alarm has still gone off.
        guard let (element, due) = pending, due <= instant else { return TimedDecision() }
        pending = nil
        return TimedDecision(emitted: element)
    }
}
