/// Values as an asynchronous sequence: `for await value in subject.values { … }`
///
/// Each iteration starts with the current value, if there is one and the task is not cancelled, and then gets changes:
/// always the newest, so that a slow loop skips intermediate values, never the last one. It never fails, and ends only
/// when its task is cancelled (unseen values are then discarded). Several loops may run at the same time; none takes
/// values from another.
public struct ValueSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// It never fails.
    public typealias Failure = Never

    private let makeReader: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

    package init(_ makeReader: @escaping @Sendable () -> any AsyncIteratorProtocol<Element, Never>) {
        self.makeReader = makeReader
    }

    /// Subscribes to the stream; the values of a subject itself need no subscription. From then on the iterator never
    /// misses the last value.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: makeReader())
    }

    /// For one task. Releasing it ends its subscription.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: any AsyncIteratorProtocol<Element, Never>

        /// The next value, in the caller's isolation; nil once the task has been cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await reader.next(isolation: actor)
        }
    }
}
