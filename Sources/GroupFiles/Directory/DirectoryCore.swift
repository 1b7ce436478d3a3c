import FileEvents
import SystemCalls

/// A directory whose values this process uses: every path that leads to it meets here, so that there is one
/// ``FileCore`` for each file, and one order of what happens to it.
///
/// It is not kept open: files are opened by path, and only a transaction pins the directory, for as long as it lasts and
/// a little longer.
final class DirectoryCore: Sendable {
    private struct Way {
        let path: String
        /// See ``PathTarget/isFleeting(_:)``.
        let isFleeting: Bool
    }

    private struct State {
        /// Where it is, as those who use it found; the last one was found last.
        var ways: [Way] = []
        /// Where it was when the last of them left it: until they are attached elsewhere, they look there.
        var lastPath = ""
        var cores = CoreTable()
        /// Locks that nobody uses, but that a helper still waits for.
        var awaited: [ExactName: [ValueLock]] = [:]
    }

    /// By which directory it is.
    private static let all = WeakRegistry<FileIdentity, DirectoryCore>()

    let identity: FileIdentity
    let missing: MissingFiles
    /// Guards all that changes.
    private let state = Guarded(State())

    private init(_ identity: FileIdentity) {
        self.identity = identity
        missing = MissingFiles(of: identity)
    }

    deinit {
        // In a forked child what is open is the parent's, and the locks may be held for ever.
        if CurrentProcess.isForked { return }
        closeLocks()
        Self.all.objectHasEnded(for: identity)
    }

    /// `watcher`: who asks the kernel by this path what happens in it.
    static func shared(_ identity: FileIdentity, path: String, watcher: (any ContentStore)?) -> DirectoryCore {
        let directory = all.object(for: identity) { DirectoryCore(identity) }
        let way = Way(path: path, isFleeting: PathTarget.isFleeting(path))
        directory.state.withLock { $0.ways.append(way) }
        if let watcher { directory.missing.follow(path, watcher) }
        return directory
    }

    /// Whoever got it by ``shared(_:path:watcher:)`` gives the path back when it leads here no longer.
    func giveBack(_ path: String, watcher: ObjectIdentifier?) {
        if let watcher { missing.leave(path, watcher) }
        state.withLock { state in
            let index = state.ways.lastIndex { ExactName($0.path) == ExactName(path) }
            if let index { state.lastPath = state.ways.remove(at: index).path }
        }
    }

    /// A path that leads here, as far as is known.
    var path: String {
        let (path, others) = state.withLock { state -> (String, [Way]) in
            guard let last = state.ways.last else { return (state.lastPath, []) }
            if !last.isFleeting || state.ways.count == 1 { return (last.path, []) }
            // It may lead elsewhere by now, which is for who found it to read, and for nobody else.
            if let way = state.ways.last(where: { !$0.isFleeting }) { return (way.path, []) }
            return (last.path, state.ways)
        }
        return others.last { leadsHere($0.path) }?.path ?? path
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

    /// Puts what happened into the inboxes of the cores, in order; returns those that are to judge it. Names that nobody
    /// here uses cost one lookup each.
    func deliver(_ events: [InotifyEvent]) -> TouchedCores {
        state.withLock { state in
            var touched = TouchedCores()
            // In a storm most are of one name, which is looked up once.
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
                if core.receive(event.mask) { touched.insert(core) }
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

    // MARK: Locks

    /// The lock of a value, open and not held: one that was kept, or a new one. One that a helper waits for is only for
    /// who waits by a helper, too: else two would lock by one descriptor.
    func lock(of name: String, isBounded: Bool, sharing: Sharing?) throws(GroupFileError) -> ValueLock {
        while isBounded, let awaited = state.withLock({ $0.awaited[ExactName(name)]?.popLast() }) {
            // Its file may be gone, and be held by somebody for ever.
            if awaited.isInPlace, !awaited.isShared, awaited.serves(sharing) { return awaited }
        }
        let (kept, other) = LockCache.shared.take(name, of: ObjectIdentifier(self))
        if let kept, !kept.isShared, kept.serves(sharing) { return kept }
        let path = path
        do throws(Errno) {
            let directory: Directory
            if let other { directory = other.directory } else { directory = try Directory(path: path) }
            if directory.identity == identity {
                return try ValueLock(name, in: directory, control: other?.control, sharing: sharing)
            }
        } catch {
            throw lockFailure(error, name)
        }
        throw .exchangedJustNow(path)
    }

    /// Why the value cannot be locked.
    func lockFailure(_ error: Errno, _ name: String) -> GroupFileError {
        let refusal = error.isExhaustion ? nil : ControlDirectory.refusal(in: path, of: name)
        return GroupFileError(
            error, path: path + "/" + name, "lock the value in \(ControlDirectory.name)",
            advice: refusal?.advice)
    }

    /// Keeps a lock that was unlocked for the next change.
    func keep(_ lock: ValueLock) {
        if !lock.isShared { LockCache.shared.keep(lock, of: ObjectIdentifier(self)) }
    }

    /// Keeps a lock that was not to be had in time, and that a helper waits for, so that the next one needs no other helper.
    func keepAwaited(_ lock: ValueLock) {
        if lock.isShared { return }
        let name = ExactName(lock.name)
        state.withLock { state in
            let isAwaited = lock.isAwaited { [weak self, weak lock] in
                // What is forgotten is closed outside of the lock.
                _ = self?.state.withLock { state -> [ValueLock] in
                    let locks = state.awaited.removeValue(forKey: name) ?? []
                    let others = locks.filter { $0 !== lock }
                    if !others.isEmpty { state.awaited[name] = others }
                    return locks
                }
            }
            if isAwaited { state.awaited[name, default: []].append(lock) }
        }
    }

    /// Closes what is kept open.
    func closeLocks() {
        LockCache.shared.close(of: ObjectIdentifier(self))
    }
}
