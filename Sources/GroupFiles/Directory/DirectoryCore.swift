import FileEvents
import SystemCalls

/// A directory whose values this process uses. Every path that leads to it shares this object, so that there is one
/// ``FileCore`` for each file, and one order of what happens to it.
///
/// 1. A store *shares* the directory while its path leads here, and *gives back* the path afterwards.
/// 2. Events are *delivered* to the cores of the names that they mention.
/// 3. A change *takes* a lock that was kept, or *opens* one, and *keeps* it for the next change.
///
/// It is not kept open: files are opened by path, and only a transaction pins the directory, for as long as it lasts
/// and a little longer.
final class DirectoryCore: Sendable {
    private typealias Locks = [ExactName: [ValueLock]]

    private struct State {
        /// The paths by which its users found it.
        var ways = DirectoryWays()
        /// The path that was given back last: until the listeners are attached elsewhere, they look there.
        var lastPath = ""
        var cores = CoreTable()
        /// Locks that nobody uses, but that a helper still waits for.
        var awaited: Locks = [:]
        /// Locks that nobody uses, but for whose turn a thread still waits.
        var blocked: Locks = [:]
        /// What the locks have pinned, for as long as one of them is open: hundreds of values may be changed at once.
        weak var directory: Directory?
        weak var control: Directory?
        /// What the lock that was opened last has pinned, also after `directory` is forgotten: while it is open, no other
        /// directory has the inode's number.
        weak var pinned: Directory?

        mutating func takeWaiting(_ name: String, isBounded: Bool) -> ValueLock? {
            // Mostly there is none, and then no name has to be looked for.
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
    private let state: Guarded<State>

    /// Found at `path`, also by a thread that comes before that is noted as a way.
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

    /// `watcher`: the store that watches the directory by this path.
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

    /// A path that leads here, as far as is known. One of several may lead elsewhere by now, as after an unmount, and
    /// only the store that found it is to read there.
    var path: String {
        let (path, others) = state.withLock { state in (state.ways.last ?? state.lastPath, state.ways.alternatives) }
        return others.last { leadsHere($0) } ?? path
    }

    /// Whether it is the directory that a store has just found at `path`. If no other path leads here any more it was
    /// removed, which its stores will learn in a moment, and a new one has got the number of its inode; or it was moved,
    /// and they leave it as well.
    private func isStill(foundAt path: String) -> Bool {
        let isIt = { ExactName($0) == ExactName(path) }
        let ways = state.withLock { state in
            // Mostly it is this one, and then nothing has to be looked at.
            if let last = state.ways.last, isIt(last) { return nil as [String]? }
            // It is surely this one: what is pinned keeps its inode's number, as when it is moved while a value is changed.
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
    func deliver(_ events: [InotifyEvent]) -> TouchedCores {
        state.withLock { state in
            var touched = TouchedCores()
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
                if core.receive(event.mask, event.number) { touched.insert(core) }
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

    /// The lock of a value, open and not held: one that was kept, or a new one. One for whose turn a thread waits is
    /// reused, so that there is no other thread. One that a helper still waits for is reused only if the request is
    /// bounded, because that waits through the helper: else two threads would lock through one descriptor.
    func lock(of name: String, for request: LockRequest) throws(GroupFileError) -> ValueLock {
        while let waiting = state.withLock({ $0.takeWaiting(name, isBounded: request.isBounded) }) {
            // Its file may have been removed, and somebody may hold that one for ever.
            if waiting.isInPlace, waiting.serves(request.sharing) { return waiting }
        }
        let kept = LockCache.shared.take(name, of: ObjectIdentifier(self))
        if let kept, kept.serves(request.sharing) { return kept }
        let path = path
        let (known, control) = state.withLock { ($0.directory, $0.control) }
        do throws(Errno) {
            let directory: Directory
            if let known { directory = known } else { directory = try Directory(path: path) }
            if directory.identity == identity {
                let lock = try ValueLock(name, in: directory, control: control, sharing: request.sharing)
                state.withLock {
                    ($0.directory, $0.control, $0.pinned) = (lock.directory, lock.control, lock.directory)
                }
                return lock
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

    /// Keeps an unlocked lock open for the next change.
    func keep(_ lock: ValueLock) {
        if lock.isInherited { return }
        if !keepBlocked(lock) { LockCache.shared.keep(lock, of: ObjectIdentifier(self)) }
    }

    /// Keeps a lock that could not be acquired in time and that a helper still waits for, so that the next waiter needs
    /// no other helper.
    func keepAwaited(_ lock: ValueLock) {
        if lock.isInherited || keep(lock, in: \.awaited, until: { lock.turns.callWhenHelperHasEnded($0) }) { return }
        keepBlocked(lock)
    }

    /// Keeps a lock for whose turn a thread waits; false if none does.
    @discardableResult
    private func keepBlocked(_ lock: ValueLock) -> Bool {
        lock.turns.isTurnBlocked && keep(lock, in: \.blocked, until: { lock.turns.callWhenTurnIsFree($0) })
    }

    /// Keeps a lock until a thread no longer waits; false if none does. This object stays for as long, even if nobody
    /// has a value of it open between two attempts.
    private func keep(
        _ lock: ValueLock, in place: any WritableKeyPath<State, Locks> & Sendable,
        until ends: (_ end: @escaping @Sendable () -> Void) -> Bool
    ) -> Bool {
        let name = ExactName(lock.name)
        return state.withLock { state in
            let isWaiting = ends { [self, weak lock] in
                // Returned, so that the locks are closed outside of the mutex.
                let locks = self.state.withLock { state -> [ValueLock] in
                    let locks = state[keyPath: place].removeValue(forKey: name) ?? []
                    let others = locks.filter { $0 !== lock }
                    if !others.isEmpty { state[keyPath: place][name] = others }
                    return locks
                }
                if let lock, locks.contains(where: { $0 === lock }) { keepBlocked(lock) }
            }
            if isWaiting { state[keyPath: place][name, default: []].append(lock) }
            return isWaiting
        }
    }

    /// Closes the locks that are kept open, and lets those that are opened from now on look anew where they are.
    func closeLocks() {
        state.withLock { ($0.directory, $0.control) = (nil, nil) }
        LockCache.shared.close(of: ObjectIdentifier(self))
    }
}
