public import Dispatch
import FileEvents
public import Observables
import SystemCalls

/// The names of the values in a container, sorted: what is there now, then each change.
///
/// ```swift
/// let subscription = radio.names.sink { names in print("values:", names) }
/// for await names in radio.names.values { print(names) }
/// ```
///
/// Only regular files with a valid name count; hidden files, directories and symbolic links do not. Additions are
/// reported at once, removals after 50 ms, so that a name does not flicker when an editor saves by renaming; a removal
/// by this process from a container in memory is reported at once, too.
public final class ContainerNames: ObservableValue {
    // 1. The first subscription makes the store *watch*, and then *lists*.
    // 2. Names that may have changed are *looked up*, under the lock, so that look-ups never mix.
    // 3. New names are *published*; names that are gone *wait*, and are looked up again.

    private struct State {
        var watch: Subscription?
        /// Whether all names have been listed since watching began.
        var isListed = false
        var present = SortedNames()
        /// Names that are still in `present` although they are gone, with the moment at which each was first missed.
        var vanished: [ExactName: Moment] = [:]
        var hasAlarm = false
        /// Whether another attempt is scheduled, because the names could not be listed.
        var hasRetry = false
    }

    private let store: any NamesStore
    private let channel = Channel<[String]>([])
    /// Guards all that changes. Names are looked up under it, too, so that they are published in the order of the
    /// look-ups.
    private let state = Guarded(State())

    init(_ store: any NamesStore) {
        self.store = store
    }

    /// The current names. Before the first subscription, this lists the directory on the caller's thread; from then on
    /// the names are known from watching.
    ///
    /// If the names cannot be looked up, this returns the last known ones, where `GroupContainer.currentNames()`
    /// throws.
    public var value: [String] {
        if state.withLock(\.isListed) { return channel.current }
        do throws(GroupFileError) {
            return try store.names()
        } catch {
            return channel.current
        }
    }

    /// Calls `handler` with the names, then with each change, until the subscription is cancelled or released; never
    /// with the same names twice in a row.
    ///
    /// `sink` returns before the first call. All calls are made on a thread of the library, or on `queue`, one at a
    /// time. The subscription keeps this observable alive until it is cancelled. The first subscription lists the
    /// directory, on the caller's thread.
    public func sink(
        on queue: DispatchQueue? = nil, _ handler: @escaping @Sendable ([String]) -> Void
    ) -> Subscription {
        watch()
        let last = LastDelivered<[String]>()
        let inner = channel.subscribe(.on(queue)) { names in
            if last.replace(with: names, unless: Self.areEqual) { handler(names) }
        }
        return Subscription(keeping: self) { mayWait in inner.cancel(mayWait: mayWait) }
    }

    /// The names as a sequence: the current ones, then those after each change, keeping only the newest. Ends when its
    /// task is cancelled.
    public var values: ValueSequence<[String]> {
        ValueSequence { [self] in
            watch()
            return NamesReader(names: self, reader: channel.makeReader())
        }
    }

    /// The first names for which `predicate` holds: the current ones at once, otherwise those of a change that comes in
    /// time. Works like ``GroupFile/first(timeout:where:)``.
    ///
    /// - Throws: `GroupFileError` with code `.timedOut`; `CancellationError`, if the task is cancelled first.
    public nonisolated(nonsending) func first(
        timeout: Duration, where predicate: @escaping @Sendable ([String]) -> Bool
    ) async throws -> [String] {
        try GroupFileError.refuseForked()
        return try await first(of: value, timeout: timeout, store.path, where: predicate)
    }

    /// Byte by byte, as the file system compares them.
    fileprivate static func areEqual(_ one: [String], _ other: [String]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { ExactName($0) == ExactName($1) }
    }

    private func watch() {
        publishing { state in
            if state.watch != nil { return ReadyList() }
            // Watch first, then list: what happens in between is reported, and waits for this lock.
            state.watch = store.watchNames(for: self)
            return look(&state, nil, isSettled: true)
        }
    }

    /// Calls `look` under the lock, and notifies subscribers outside of it. Returns whether there was anything to
    /// report.
    @discardableResult
    private func publishing(_ look: (inout State) -> ReadyList) -> Bool {
        let ready = state.withLock { look(&$0) }
        ready.run()
        return !ready.isEmpty
    }
}

extension ContainerNames: NamesListener {
    func namesMayHaveChanged(_ names: Set<ExactName>?, isSettled: Bool) -> Bool {
        publishing { look(&$0, names, isSettled: isSettled) }
    }

    private func look(_ state: inout State, _ names: Set<ExactName>?, isSettled: Bool) -> ReadyList {
        let now = Moment.now
        guard let (found, gone) = lookUp(names, &state) else { return ReadyList() }
        for name in found { state.vanished[name] = nil }
        var removed: Set<ExactName> = []
        for name in gone where state.present.names.contains(name) {
            let since = state.vanished[name] ?? now
            if isSettled || now - since >= SettleTime.duration {
                removed.insert(name)
                state.vanished[name] = nil
            } else {
                state.vanished[name] = since
            }
        }
        setAlarm(&state)
        guard state.present.change(adding: found, removing: removed) else { return ReadyList() }
        return channel.publish(state.present.sorted)
    }

    /// Splits these names, or all names if this is nil, into those that are there and those that are gone. A name that
    /// cannot be looked up is neither: what is known about it stays, and the next change tries again. Nil if the names
    /// cannot be listed.
    private func lookUp(
        _ names: Set<ExactName>?, _ state: inout State
    ) -> (found: Set<ExactName>, gone: Set<ExactName>)? {
        guard let names else {
            do throws(GroupFileError) {
                let found = Set(try store.names().map(ExactName.init))
                state.isListed = true
                return (found, state.present.names.subtracting(found))
            } catch {
                if error.errno.map({ Errno(rawValue: $0).isExhaustion }) == true { retryLater(&state) }
                return nil
            }
        }
        var found: Set<ExactName> = []
        var gone: Set<ExactName> = []
        for name in names {
            do throws(Errno) {
                if try store.holdsValue(named: name.text) { found.insert(name) } else { gone.insert(name) }
            } catch {
                // Otherwise the alarm would look it up again and again, because its settle time is over.
                state.vanished[name] = nil
            }
        }
        return (found, gone)
    }

    private func retryLater(_ state: inout State) {
        if state.hasRetry { return }
        state.hasRetry = true
        ThreadPool.shared.schedule(at: .now + Errno.exhaustionPause) { [weak self] in self?.retry() }
    }

    private func retry() {
        publishing { state in
            state.hasRetry = false
            return look(&state, nil, isSettled: false)
        }
    }

    private func setAlarm(_ state: inout State) {
        guard !state.hasAlarm, let since = state.vanished.values.min() else { return }
        state.hasAlarm = true
        ThreadPool.shared.schedule(at: since + SettleTime.duration) { [weak self] in self?.alarmRang() }
    }

    private func alarmRang() {
        publishing { state in
            state.hasAlarm = false
            // Thousands may vanish one after the other: each is looked up when its own settle time is over.
            let end = Moment.now
            let due = state.vanished.filter { end - $0.value >= SettleTime.duration }
            return look(&state, Set(due.keys), isSettled: false)
        }
    }
}

/// Keeps the names watched for as long as somebody iterates over them.
private struct NamesReader: AsyncIteratorProtocol {
    let names: ContainerNames
    var reader: ChannelReader<[String]>
    var last: [String]?

    mutating func next(isolation: isolated (any Actor)?) async -> [String]? {
        while let found = await reader.next(isolation: isolation) {
            if let last, ContainerNames.areEqual(last, found) { continue }
            last = found
            return found
        }
        return nil
    }
}
