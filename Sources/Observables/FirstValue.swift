import SystemCalls

extension ValueStream {
    /// The first value for which `predicate` holds: the current one at once, else a later one.
    ///
    /// Nothing is missed between checking and waiting. `predicate` is called where values are delivered, one at a time.
    /// - Throws: `CancellationError`, if the task is cancelled first.
    public nonisolated(nonsending) func first(
        where predicate: @escaping @Sendable (Element) -> Bool
    ) async throws(CancellationError) -> Element {
        let search = Search(self, predicate)
        guard case .value(let element) = await search.outcome() else { throw CancellationError() }
        return element
    }

    /// The first value for which `predicate` holds: the current one at once, else one that arrives in time.
    ///
    /// - Throws: `TimedOut`, if none came within `timeout`; `CancellationError`, if the task is cancelled first.
    public nonisolated(nonsending) func first(
        timeout: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        where predicate: @escaping @Sendable (Element) -> Bool
    ) async throws -> Element {
        let search = Search(self, predicate)
        let timer = search.expire(after: timeout, clock)
        defer { timer.cancel() }
        switch await search.outcome() {
        case .value(let element): return element
        case .timedOut:
            // Where others deliver they may be late: what holds by now has come in time.
            let current = (self as? any ObservableValue<Element>)?.value
            if let current, search.holdsInTheEnd(current) { return current }
            throw TimedOut(timeout: timeout)
        case nil: throw CancellationError()
        }
    }
}

/// No value for which the predicate held came in time.
public struct TimedOut: Error, Hashable {
    /// How long the call waited for it.
    public let timeout: Duration

    /// - Parameter timeout: how long the call waited for it.
    public init(timeout: Duration) {
        self.timeout = timeout
    }
}

/// A subscription and a timer that race: whichever comes first is the outcome.
private struct Search<Element: Sendable>: Sendable {
    enum Outcome: Sendable {
        case value(Element)
        case timedOut
    }

    private let found = Channel<Outcome?>(nil)
    private let predicate: OneAtATime<Element>
    private let subscription: Subscription

    init(_ stream: some ValueStream<Element>, _ predicate: @escaping @Sendable (Element) -> Bool) {
        let predicate = OneAtATime(predicate)
        self.predicate = predicate
        subscription = stream.sink(on: nil) { [found] element in
            if found.current == nil, predicate.holds(for: element) { found.settle(.value(element)) }
        }
    }

    /// Whether the predicate holds for what is there when the time is up. Where another thread is just asking it, it has
    /// not held in time: nobody knows how long that takes.
    func holdsInTheEnd(_ element: Element) -> Bool {
        predicate.holds(for: element, isLast: true)
    }

    func expire<C: Clock<Duration>>(after timeout: Duration, _ clock: C) -> Task<Void, Never> {
        let deadline = clock.now.advanced(by: timeout.withinClocks)
        return Task { [found] in
            do { try await clock.sleep(until: deadline, tolerance: nil) } catch { return }
            found.settle(.timedOut)
        }
    }

    nonisolated(nonsending) func outcome() async -> Outcome? {
        defer { subscription.cancel(mayWait: false) }
        var reader = found.makeReader()
        while true {
            if let outcome = found.current { return outcome }
            guard await reader.next() != nil else { return nil }
        }
    }
}

/// Asks a predicate: handlers are called one at a time, but the last question is nobody's call.
private final class OneAtATime<Element: Sendable>: Sendable {
    private enum Phase {
        case free, asking, over
    }

    private let predicate: @Sendable (Element) -> Bool
    /// Guarded by its lock.
    private let phase = Guarded(Phase.free)

    init(_ predicate: @escaping @Sendable (Element) -> Bool) {
        self.predicate = predicate
    }

    /// False where another thread is just asking, or the last question was asked.
    func holds(for element: Element, isLast: Bool = false) -> Bool {
        let isFree = phase.withLock { phase in
            let isFree = phase == .free
            if isFree { phase = .asking }
            return isFree
        }
        if !isFree { return false }
        defer { phase.withLock { $0 = isLast ? .over : .free } }
        return predicate(element)
    }
}

extension Channel {
    fileprivate func settle<Outcome>(_ outcome: Outcome) where Element == Outcome? {
        publish { found in found == nil ? .some(outcome) : .none }?.run()
    }
}
