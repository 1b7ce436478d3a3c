import Observables
import SystemCalls

/// Follows a key through the suites in which it is looked for.
///
/// 1. It *subscribes* to the suites' files, and again whenever the suites to search change.
/// 2. Each change of one of these files is *published* as news, without a value: there is one channel for all of them.
/// 3. A handler that gets news *looks up* the result itself, so that it is the newest of all.
final class DefaultSearch: Sendable {
    private struct State {
        var files: [GroupFile<StoredJSON?>] = []
        var subscriptions: [Subscription] = []
        /// Subscriptions to the list of suites that are searched, and to the registered defaults.
        var searchSubscriptions: [Subscription] = []
        var isCancelled = false
    }

    /// Says that the result may have changed.
    let news = Channel(())
    private let defaults: GroupDefaults
    private let key: String
    /// Guards all that changes.
    private let state = Guarded(State())

    init(_ defaults: GroupDefaults, _ key: String) {
        self.defaults = defaults
        self.key = key
        let news = news
        let registration = RegisteredDefaults.shared.changes.subscribe(.caller, initially: false) { _ in
            news.publish(()).run()
        }
        // Called at once, on this thread, and then for each change, one at a time.
        let subscription = defaults.search.subscribe(.caller) { [weak self] _ in self?.subscribe() }
        state.withLock { $0.searchSubscriptions = [subscription, registration] }
    }

    enum Result {
        /// Nil if it is missing.
        case known(StoredJSON?)
        /// The search is over: the result is no longer known.
        case cancelled
    }

    /// What is found now, from memory.
    var result: Result {
        let (files, isCancelled) = state.withLock { ($0.files, $0.isCancelled) }
        if isCancelled { return .cancelled }
        for file in files {
            if let stored = file.accepted.value { return .known(stored) }
        }
        return .known(defaults.registered(forKey: key))
    }

    func cancel() {
        let ended = state.withLock { exchange(&$0, with: State(isCancelled: true)) }
        for subscription in ended.searchSubscriptions + ended.subscriptions { subscription.cancel(mayWait: false) }
    }

    private func subscribe() {
        let files = defaults.suites.compactMap { suite -> GroupFile<StoredJSON?>? in
            do throws(GroupFileError) {
                return try suite.file(forKey: key)
            } catch {
                return nil  // The key cannot be a file's name, so there is no value.
            }
        }
        let news = news
        // Each state, because `sink` skips a value that equals the one it delivered last, while the result of the
        // search may have been a different one in between.
        let subscriptions = files.map { file in file.sinkStates { _ in news.publish(()).run() } }
        // The files are returned, too, so that one that nobody else has is closed outside of the lock.
        let (old, _) = state.withLock { state -> ([Subscription], [GroupFile<StoredJSON?>]) in
            if state.isCancelled { return (subscriptions, files) }
            defer { (state.subscriptions, state.files) = (subscriptions, files) }
            return (state.subscriptions, state.files)
        }
        for subscription in old { subscription.cancel(mayWait: false) }
        news.publish(()).run()
    }
}
