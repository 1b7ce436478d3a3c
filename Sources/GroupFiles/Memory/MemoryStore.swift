import FileEvents
import Observables
import SystemCalls

/// Values in memory, for users' own tests: what `GroupContainer.inMemory()` is built on.
///
/// Cores number, offer and publish as they do for files; below them is a ``MemoryFile`` for each name. There are no
/// foreign writers, so nothing needs to be watched, and what is read is always settled once it has been published.
final class MemoryStore: NamesStore {
    private struct State {
        /// The cores that somebody uses.
        var cores = CoreTable()
        /// The cores that have a value, which outlives its listeners, as a file does.
        var values: [ExactName: FileCore] = [:]
        var watchers: [ObjectIdentifier: Watcher] = [:]
    }

    private struct Watcher: Sendable {
        weak let names: (any NamesListener)?
    }

    let path: String
    /// Guards all that changes; nothing is called under it.
    private let state = Guarded(State())

    /// - Parameter path: For errors; not a path of a file system.
    init(path: String) {
        self.path = path
        // Keeps a thread parked for deliveries: no event from the kernel would start one.
        ThreadPool.shared.hold()
    }

    deinit {
        ThreadPool.shared.release()
    }

    var health: WatchHealth { .live }

    private func core(_ name: String) -> FileCore {
        state.withLock { state in
            if let core = state.cores[ExactName(name)] { return core }
            let file = MemoryFile(path: path + "/" + name) { [weak self] in self?.noteValue(name, isThere: $0) }
            let core = FileCore(file: file)
            state.cores.insert(core, as: ExactName(name))
            return core
        }
    }

    // MARK: Listeners

    func add(_ listener: any StoreListener) {
        listener.attach(to: core(listener.name))
    }

    func remove(_ id: ObjectIdentifier) {}

    var pathForWriting: String? { nil }
    var sharing: Sharing? { nil }

    func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore {
        core(listener.name)
    }

    func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer {
        self.core(listener.name) === core ? .yes : .no
    }

    func followPath() {}

    // MARK: Names

    func names() throws(GroupFileError) -> [String] {
        state.withLock { $0.values.keys.map(\.text) }.sorted()
    }

    func holdsValue(named name: String) -> Bool {
        state.withLock { $0.values[ExactName(name)] != nil }
    }

    func watchNames(for names: any NamesListener) -> Subscription {
        let id = ObjectIdentifier(names)
        state.withLock { $0.watchers[id] = Watcher(names: names) }
        return Subscription { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
        }
    }

    /// Called under the core's lock, so a job notifies the watchers.
    private func noteValue(_ name: String, isThere: Bool) {
        let watchers = state.withLock { state in
            // The thread that changes the value keeps the core alive, so the table has it.
            state.values[ExactName(name)] = isThere ? state.cores[ExactName(name)] : nil
            return state.watchers.values.compactMap(\.names)
        }
        if watchers.isEmpty { return }
        ThreadPool.shared.execute {
            for names in watchers { names.namesMayHaveChanged([ExactName(name)], isSettled: true) }
        }
    }
}
