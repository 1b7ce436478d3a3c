public import Dispatch
public import Observables

extension GroupDefaults {
    /// A key's value as an observable: what `object(forKey:as:)` finds now, then each change, whoever makes it.
    ///
    /// ```swift
    /// let subscription = defaults.observe("luckyNumber", as: Int.self).sink { print($0 ?? 0) }
    /// ```
    public func observe<T: Codable & Sendable>(_ key: String, as type: T.Type = T.self) -> ObservedDefault<T> {
        ObservedDefault(defaults: self, key: key)
    }
}

/// What a key of ``GroupDefaults`` holds, and its changes: nil if it is missing or of another type.
///
/// The whole search is observed: when a value is removed from the suite, the one in an added suite, or the registered
/// one, takes its place.
public struct ObservedDefault<Value: Codable & Sendable>: ObservableValue {
    let defaults: GroupDefaults
    let key: String

    /// What the search finds now: looks at the files, on the caller's thread, as reading the key does.
    public var value: Value? { defaults.object(forKey: key, as: Value.self) }

    /// Calls `handler` with the value, then with each change, until the subscription is cancelled or released.
    ///
    /// `sink` returns before the first call. All calls are made on a thread of the library, or on `queue`, one at a
    /// time; two in a row never come from equal content. The subscription keeps the `GroupDefaults` alive until it is
    /// cancelled.
    public func sink(
        on queue: DispatchQueue? = nil, _ handler: @escaping @Sendable (Value?) -> Void
    ) -> Subscription {
        let search = DefaultSearch(defaults, key)
        // Decoding runs the type's own code within the slot's call, and that code may cancel.
        let gate = HandlerGate()
        let handler = gate.guarding(handler)
        let last = LastDelivered<StoredJSON?>()
        let inner = search.news.subscribe(.on(queue)) { _ in
            guard case .known(let stored) = search.result else { return }
            if last.replace(with: stored, unless: ==) { handler(stored?.decoded(as: Value.self)) }
        }
        return Subscription(keeping: search) { [weak search] mayWait in
            gate.close()
            search?.cancel()
            inner.cancel(mayWait: mayWait)
        }
    }

    /// The values as a sequence: the current value, then changes, keeping only the newest. Ends when its task is
    /// cancelled.
    public var values: ValueSequence<Value?> {
        ValueSequence { DefaultReader(DefaultSearch(defaults, key)) }
    }

    /// The first value for which `predicate` holds: the current one at once, else one that arrives in time. As
    /// ``GroupFile/first(timeout:where:)``.
    ///
    /// - Throws: `GroupFileError` with code `.timedOut`; `CancellationError`, if the task is cancelled first.
    public nonisolated(nonsending) func first(
        timeout: Duration, where predicate: @escaping @Sendable (Value?) -> Bool
    ) async throws -> Value? {
        try GroupFileError.refuseForked()
        return try await first(
            of: value, timeout: timeout, defaults.own.container.path, "the key \"\(ValueName.printable(key))\"",
            where: predicate)
    }
}

/// Looks for a key's value whenever there is news.
private struct DefaultReader<Value: Codable & Sendable>: AsyncIteratorProtocol {
    private let search: DefaultSearch
    /// Ends the search when it is released.
    private let subscription: Subscription
    private var news: ChannelReader<Void>
    private var last: StoredJSON??

    init(_ search: DefaultSearch) {
        self.search = search
        subscription = Subscription(keeping: search) { [weak search] _ in search?.cancel() }
        news = search.news.makeReader()
    }

    mutating func next(isolation: isolated (any Actor)?) async -> Value?? {
        while await news.next(isolation: isolation) != nil {
            guard case .known(let stored) = search.result, last != .some(stored) else { continue }
            last = stored
            return .some(stored?.decoded(as: Value.self))
        }
        return nil
    }
}
