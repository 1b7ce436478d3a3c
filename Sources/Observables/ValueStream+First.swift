import SystemCalls

extension ValueStream {
    /// The first value for which `predicate` holds: the current one at once, else a later one.
    ///
    /// Nothing is missed between checking and waiting. `predicate` is called where values are delivered, one call at a
    /// time; if the task is cancelled, a call may still be made, or be in progress, when this throws.
    ///
    /// - Throws: `CancellationError`, if the task is cancelled first.
    public nonisolated(nonsending) func first(
        where predicate: @escaping @Sendable (Element) -> Bool
    ) async throws(CancellationError) -> Element {
        let search = FirstValueSearch(self, predicate)
        guard case .value(let element) = await search.outcome() else { throw CancellationError() }
        return element
    }

    /// The first value for which `predicate` holds: the current one at once, else one that arrives in time.
    ///
    /// `predicate` is called where values are delivered. Once the time is up, the waiting task also calls it, for the
    /// value that is there then; if this is the result of `map`, it also does so at the start. So `predicate` may be
    /// called with the same value again. Calls are made one at a time.
    ///
    /// A call that had to wait leaves about 750 bytes in Swift's runtime until `timeout` is over, as every cancelled
    /// `Task.sleep` does: if you call this often, do not use a timeout of days.
    ///
    /// - Throws: `TimedOut`, if none came within `timeout`; `CancellationError`, if the task is cancelled first.
    public nonisolated(nonsending) func first(
        timeout: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        where predicate: @escaping @Sendable (Element) -> Bool
    ) async throws -> Element {
        // The delivering thread may be evaluating the current value just when the time is up. A subject need not be
        // checked here, because it delivers on this thread.
        if let derived = self as? DerivedValue<Element> {
            let current = derived.value
            if HandlerScope.run({ predicate(current) }) { return current }
        }
        let search = FirstValueSearch(self, predicate)
        // No timer for a value that is there already: a cancelled sleep stays in the runtime until its time is over.
        if case .value(let element)? = search.settled { return element }
        let timer = search.expire(after: timeout, clock)
        defer { timer.cancel() }
        switch await search.outcome() {
        case .value(let element): return element
        case .timedOut:
            // Other threads may deliver late: if the predicate holds for the current value by now, that value has come
            // in time.
            let current = (self as? any ObservableValue<Element>)?.value
            if let current, search.holdsAtDeadline(current) { return current }
            throw TimedOut(timeout: timeout)
        case nil: throw CancellationError()
        }
    }
}
