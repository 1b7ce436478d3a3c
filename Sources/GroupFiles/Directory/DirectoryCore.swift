import FileEvents
import SystemCalls

/// A directory whose values this process uses. Every path that leads to it shares this object, so that there is one
/// ``FileCore`` for each file, and one order of what happens to it.
///
/// 1. A store *shares* the directory while its path leads here, and *gives back* the path afterwards.
/// 2. Events are *delivered* to the cores of the names that they mention.
/// 3. A change *takes* a lock that was kept, or *opens* one, and *keeps* it for the next change.
///
/// The directory is not kept open: files are opened by path, and only a transaction pins it, for as long as the
/// transaction lasts and a little longer.
final class DirectoryCore: Sendable {
    typealias Locks = [ExactName: [ValueLock]]

    struct State {
        /// The paths by which its users found it.
        var ways = DirectoryWays()
        /// The path that was given back last: until the listeners are attached elsewhere, they look there.
        var lastPath = ""
        var cores = CoreTable()
        /// Locks that nobody uses, but that a helper still waits for.
        var awaited: Locks = [:]
        /// Locks that nobody uses, but for whose turn a thread still waits.
        var blocked: Locks = [:]
        /// The directories that the locks have pinned, for as long as one lock is open. Locks share them, because
        /// hundreds of values may be changed at once.
        weak var directory: Directory?
        weak var control: Directory?
        /// The directory that the lock opened last has pinned, also after `directory` is forgotten: while it is open,
        /// no other directory has its inode number.
        weak var pinned: Directory?

        mutating func takeWaiting(_ name: String, isBounded: Bool) -> ValueLock? {
            // Usually there is none, and then no name has to be looked up.
            if awaited.isEmpty, blocked.isEmpty { return nil }
            let name = ExactName(name)
            return (isBounded ? awaited[name]?.popLast() : nil) ?? blocked[name]?.popLast()
        }
    }

    /// By the directory's identity.
    private static let all = WeakRegistry<FileIdentity, DirectoryCore>()

    let identity: FileIdentity
    let missing: MissingFiles
    let times = FileTimes()
    /// Guards all that changes.
    let state: Guarded<State>

    /// `path` is passed here so that a thread that gets this object before the path is noted as a way has one, too.
    private init(_ identity: FileIdentity, foundAt path: String) {
        self.identity = identity
        missing = MissingFiles(of: identity)
        state = Guarded(State(lastPath: path))
    }

    deinit {
        // In a forked child the open descriptors are the parent's, and a mutex may stay locked for ever.
        if CurrentProcess.isForked { return }
        closeLocks()
        Self.all.objectHasEnded(for: identity)
    }

    /// The object of the directory to which this path leads. `watcher` is the store that watches the directory by this
    /// path.
    static func shared(_ identity: FileIdentity, path: String, watcher: (any ContentStore)?) -> DirectoryCore {
        let known = all.existing(for: identity)
        let past = known.flatMap { $0.isStill(foundAt: path) ? nil : $0 }
        let directory = all.object(for: identity, otherThan: past) { DirectoryCore(identity, foundAt: path) }
        directory.state.withLock { $0.ways.add(path) }
        if let watcher { directory.missing.follow(path, watcher) }
        return directory
    }

    /// To be called when a path that was passed to ``shared(_:path:watcher:)`` no longer leads here.
    func giveBack(_ path: String, watcher: ObjectIdentifier?) {
        if let watcher { missing.leave(path, watcher) }
        state.withLock { state in
            if state.ways.remove(path) { state.lastPath = path }
        }
    }

    /// A path that leads here, as far as is known. If there are several, one may lead elsewhere by now, as after an
    /// unmount; then only the store that found the directory by that path should read what is there.
    var path: String {
        let (path, others) = state.withLock { state in (state.ways.last ?? state.lastPath, state.ways.alternatives) }
        return others.last { leadsHere($0) } ?? path
    }

    /// Whether this is the directory that a store has just found at `path`. If no known path leads here any more,
    /// either this directory was removed, which its stores will learn in a moment, and the one at `path` is new and got
    /// the same inode number; or this directory was moved, and its stores leave it as well.
    private func isStill(foundAt path: String) -> Bool {
        let isIt = { ExactName($0) == ExactName(path) }
        let ways = state.withLock { state in
            // Usually the path is the last one, and then nothing has to be looked at.
            if let last = state.ways.last, isIt(last) { return nil as [String]? }
            // It certainly is this one: a directory that is pinned keeps its inode number, as when it is moved while a
            // value is changed.
            if state.pinned != nil { return nil }
            return state.ways.all + [state.lastPath]
        }
        return ways?.contains { isIt($0) || leadsHere($0) } ?? true
    }

    private func leadsHere(_ path: String) -> Bool {
        do throws(Errno) {
            return try Path.status(of: path).identity == identity
        } catch {
            return false
        }
    }

    func core(_ name: String) -> FileCore {
        state.withLock { state in
            if let core = state.cores[ExactName(name)] { return core }
            let core = FileCore(file: DirectoryFile(name, in: self))
            state.cores.insert(core, as: ExactName(name))
            return core
        }
    }

    func existingCore(_ name: String) -> FileCore? {
        state.withLock { $0.cores[ExactName(name)] }
    }

    /// Puts events into the inboxes of the cores, in order; returns the cores that have to judge them. Names without a
    /// core cost one lookup each.
    func deliver(_ events: [InotifyEvent]) -> [FileCore] {
        state.withLock { state in
            var touched: [FileCore] = []
            // In a burst most events have the same name, which is looked up once.
            var last: (name: ExactName, core: FileCore)?
            for event in events {
                guard let name = event.name.map(ExactName.init) else { continue }
                let core: FileCore
                if let last, last.name == name {
                    core = last.core
                } else {
                    guard let found = state.cores[name] else { continue }
                    core = found
                    last = (name, found)
                }
                if core.receive(event.mask, event.number), !touched.contains(where: { $0 === core }) {
                    touched.append(core)
                }
            }
            return touched
        }
    }

    var existingCores: [FileCore] {
        state.withLock { state in
            state.cores.clean()
            return state.cores.all
        }
    }
}
