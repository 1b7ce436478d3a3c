import SystemCalls

extension ValueStream {
    /// At most one value per interval: the first one at once, and at the end of the interval one that arrived
    /// meanwhile.
    ///
    /// If `latest` is true, the newest value of an interval is kept, so that the last value always arrives. Otherwise
    /// the oldest is kept, and the others of that interval are lost.
    ///
    /// Handlers are called on the sender's thread or, at the end of an interval, on a Dispatch thread. Each
    /// subscription keeps one value and has one task that sleeps. Cancelling a subscription while it keeps a value
    /// leaves about 750 bytes in Swift's runtime until `interval` is over.
    public func throttle(
        for interval: Duration,
        latest: Bool = true,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> DerivedStream<Element> {
        throttle(interval, latest, clock)
    }

    private func throttle<C: Clock<Duration>>(
        _ interval: Duration,
        _ latest: Bool,
        _ clock: C
    ) -> DerivedStream<Element> {
        DerivedStream { handler in
            TimedRelay(Throttle<Element, C.Instant>(interval: interval, latest: latest), clock: clock)
                .connect(self, to: handler)
        }
    }
}

/// Lets a value through if the interval since the previous one is over; keeps one until then.
struct Throttle<Element: Sendable, Instant: InstantProtocol>: TimedPolicy where Instant.Duration == Duration {
    private let interval: Duration
    private let latest: Bool
    /// The end of the interval that the last emitted value began.
    private var end: Instant?
    private var pending: Element?

    init(interval: Duration, latest: Bool) {
        self.interval = interval.withinClocks
        self.latest = latest
    }

    mutating func offer(_ element: Element, at now: Instant) -> TimedDecision<Element, Instant> {
        guard let kept = pending else {
            guard let end, now < end else { return emit(element, at: now) }
            pending = element
            return TimedDecision(alarm: end)
        }
        guard latest else { return TimedDecision(dropped: element) }
        pending = element
        return TimedDecision(dropped: kept)
    }

    mutating func wake(from instant: Instant, at now: Instant) -> TimedDecision<Element, Instant> {
        guard let element = pending, let end, end <= instant else { return TimedDecision() }
        pending = nil
        return emit(element, at: now)
    }

    private mutating func emit(_ element: Element, at now: Instant) -> TimedDecision<Element, Instant> {
        end = now.advanced(by: interval)
        return TimedDecision(emitted: element)
    }
}
