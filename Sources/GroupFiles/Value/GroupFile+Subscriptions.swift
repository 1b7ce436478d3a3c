public import Dispatch
import Observables
import SystemCalls

extension GroupFile {
    /// Calls `handler` with the current value, then with each change, until the subscription is cancelled or released.
    ///
    /// `sink` returns before the first call. All calls, including those for this process's own writes, are made on a
    /// thread of the library, or on `queue`, one at a time. A slow handler gets the newest value next, and delays no
    /// other. Two values in a row never come from equal bytes; but a change of white space, say, counts as a change, and
    /// so does the creation of the file with the initial value: `removeDuplicates()` leaves out values that are equal.
    ///
    /// The subscription keeps this `GroupFile` alive until it is cancelled.
    public func sink(on queue: DispatchQueue? = nil, _ handler: @escaping @Sendable (T) -> Void) -> Subscription {
        let delivered = Guarded<Content?>(nil)
        return subscribe(queue) { state in
            let isNew = delivered.withLock { delivered in
                if delivered == state.content { return false }
                delivered = state.content
                return true
            }
            if isNew { handler(state.value) }
        }
    }

    /// As ``sink(on:_:)``, with status and health; `handler` is called for each change of any of the three.
    package func sinkStates(_ handler: @escaping @Sendable (GroupFileState<T>) -> Void) -> Subscription {
        subscribe(nil) { accepted in handler(accepted.summary) }
    }

    /// Value, status and health, as they are together now.
    package var state: GroupFileState<T> { accepted.summary }

    private func subscribe(
        _ queue: DispatchQueue?, _ handler: @escaping @Sendable (AcceptedState<T>) -> Void
    ) -> Subscription {
        let inner = channel.subscribe(.on(queue), handler)
        return Subscription(keeping: self) { mayWait in inner.cancel(mayWait: mayWait) }
    }

    /// The values as a sequence: the current value, then changes, keeping only the newest. Ends when its task is
    /// cancelled.
    public var values: ValueSequence<T> {
        ValueSequence { [self] in
            StateReader(file: self) { previous, state in
                previous?.content == state.content ? nil : state.value
            }
        }
    }

    /// An error for each bad content, once and in order, and again only after the file had good content or was missing:
    /// with line, column and coding path if the content is JSON that does not decode. If the content is bad when a loop
    /// begins, its error comes first. The newest 16 are kept for a slow loop, and that many are recognised when they
    /// come again.
    ///
    /// Failed sets through `@GroupValue`, which cannot throw, are reported here, too, unless a set has succeeded since;
    /// a loop begins with the last such failure, even before the error of bad content.
    public var failures: ValueSequence<GroupFileError> {
        ValueSequence { [self] in FailureReader(file: self) }
    }

    /// Value, status and health: the current ones, then each change of one of them, keeping only the newest.
    ///
    /// The same three come twice in a row only if the value was a different one in between, so that a program that
    /// restores a missing value learns when it is missing again. A value counts as different if it comes from different
    /// bytes, as in ``sink(on:_:)``.
    public var states: ValueSequence<GroupFileState<T>> {
        ValueSequence { [self] in
            StateReader(file: self) { previous, state in
                if let previous, previous.facts.exchanges == state.facts.exchanges, previous.status == state.status,
                    previous.health == state.health
                {
                    return nil
                }
                return state.summary
            }
        }
    }

    /// Changes made after an iterator is created, as when a `for await` loop begins: old value, new value, and whether
    /// this process wrote it. Changes that arrive before the next one is requested are merged into one.
    public var changes: ValueSequence<GroupFileChange<T>> {
        ValueSequence { [self] in
            StateReader(file: self, after: accepted) { previous, state in
                guard let previous, previous.content != state.content else { return nil }
                return GroupFileChange(old: previous.value, new: state.value, isOwn: state.facts.isOwn)
            }
        }
    }

    /// How many tasks are suspended in one of these sequences.
    package var waiterCount: Int { channel.waiterCount }

    /// The first value for which `predicate` holds: the current one at once, else one that arrives in time.
    ///
    /// The task itself calls `predicate` at once and, when the time is up, again, each time for the value that is there
    /// then; in between, `predicate` is called on a thread of the library. So it may be called twice for one value, but
    /// never concurrently. A call that had to wait leaves about 750 bytes in Swift's runtime until `timeout` is over.
    ///
    /// - Throws: `GroupFileError` with code `.timedOut` (`TimedOut` if the file is used as `any ObservableValue`, or a
    ///   `clock` is passed); `CancellationError`, if the task is cancelled first.
    public nonisolated(nonsending) func first(
        timeout: Duration, where predicate: @escaping @Sendable (T) -> Bool
    ) async throws -> T {
        try GroupFileError.refuseForked()
        return try await first(of: accepted.value, timeout: timeout, path, where: predicate)
    }
}

/// Reads the states of a file, and returns what went wrong: a failed set first, then a bad content.
private struct FailureReader<Value: Codable & Sendable>: AsyncIteratorProtocol {
    private let file: GroupFile<Value>
    private var reader: PayloadReader
    /// How many failed sets there were when one was last returned.
    private var failedSets: Int
    /// The number of the failure that was last looked at.
    private var lastFailure: Int
    /// The identities of the latest failures that were returned, the newest last.
    private var told: [Int] = []

    init(file: GroupFile<Value>) {
        self.file = file
        reader = file.channel.makeReader()
        let facts = file.channel.current.facts
        failedSets = max(0, facts.failedSetCount - 1)
        lastFailure = facts.lastFailure - (facts.invalidContent == nil ? 0 : 1)
    }

    mutating func next(isolation: isolated (any Actor)?) async -> GroupFileError? {
        while !Task.isCancelled {
            let facts = file.channel.current.facts
            if let (error, count) = facts.failedSet(after: failedSets) {
                failedSets = count
                return error
            }
            for failure in facts.failures where failure.number > lastFailure {
                lastFailure = failure.number
                if told.contains(failure.identity) { continue }
                told.append(failure.identity)
                if told.count > AcceptedFacts.mostFailures { told.removeFirst() }
                return failure.error
            }
            if await reader.next(isolation: isolation) == nil { break }
        }
        return nil
    }
}

/// Reads the states of a file, and transforms them into the elements of a sequence.
private struct StateReader<Value: Codable & Sendable, Element: Sendable>: AsyncIteratorProtocol {
    typealias Transform = @Sendable (_ previous: AcceptedState<Value>?, _ state: AcceptedState<Value>) -> Element?

    private let file: GroupFile<Value>
    private let transform: Transform
    private var reader: PayloadReader
    private var previous: AcceptedState<Value>?

    init(file: GroupFile<Value>, after previous: AcceptedState<Value>? = nil, _ transform: @escaping Transform) {
        self.file = file
        self.transform = transform
        self.previous = previous
        reader = file.channel.makeReader()
    }

    mutating func next(isolation: isolated (any Actor)?) async -> Element? {
        while let payload = await reader.next(isolation: isolation) {
            let state = AcceptedChannel<Value>.open(payload)
            let element = transform(previous, state)
            previous = state
            if let element { return element }
        }
        return nil
    }
}
