import SystemCalls

/// A subscription and a timer that race: whichever comes first is the outcome.
struct FirstValueSearch<Element: Sendable>: Sendable {
    enum Outcome: Sendable {
        case value(Element)
        case timedOut
    }

    private let found = Channel<Outcome?>(nil)
    private let predicate: ExclusivePredicate<Element>
    private let subscription: Subscription

    init(_ stream: some ValueStream<Element>, _ predicate: @escaping @Sendable (Element) -> Bool) {
        let predicate = ExclusivePredicate(predicate)
        self.predicate = predicate
        subscription = stream.sink(on: nil) { [found] element in
            if found.current == nil, predicate.holds(for: element) { found.settle(.value(element)) }
        }
    }

    /// The outcome, if it is known already: a subject has delivered its value on this thread.
    var settled: Outcome? { found.current }

    /// Whether the predicate holds for the value that is there when the time is up. False if another thread is
    /// evaluating the predicate at that moment: nobody knows how long that takes, so the predicate has not held in
    /// time.
    func holdsAtDeadline(_ element: Element) -> Bool {
        predicate.holds(for: element, isLast: true)
    }

    func expire<C: Clock<Duration>>(after timeout: Duration, _ clock: C) -> Task<Void, Never> {
        let deadline = clock.now.advanced(by: timeout.withinClocks)
        return Task { [found] in
            do {
                try await clock.sleep(until: deadline, tolerance: nil)
            } catch {
                // A clock that cannot sleep: better early than never.
                if Task.isCancelled { return }
            }
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

extension Channel {
    fileprivate func settle<Outcome>(_ outcome: Outcome) where Element == Outcome? {
        publish { found in found == nil ? .some(outcome) : .none }?.run()
    }
}
