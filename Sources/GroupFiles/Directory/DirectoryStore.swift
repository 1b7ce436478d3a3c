import FileEvents
import SystemCalls

/// The values of the directory that a path leads to, whichever directory that is at the moment.
///
/// 1. While anybody listens, the path is *followed*.
/// 2. What happens to a name is *passed on* to its core.
/// 3. Where the path leads to another directory, or to none, every listener is *attached* to the core there.
final class DirectoryStore: ContentStore, PathWatchDelegate {
    private struct Key: Hashable {
        let path: ExactName
        let leaf: ExactName?
        /// For whom new files are made; nil: shared as the directory is.
        let sharing: Sharing?
        let usesNotifications: Bool
    }

    private struct State {
        var watch: PathWatch?
        /// Where the listeners are attached; nil where the path leads nowhere.
        var directory: DirectoryCore?
        /// Where `directory` is, and which file in it the path leads to, if it leads to a file.
        var target: PathTarget?
        /// Why `target` is nil, unless there is simply no directory.
        var refusal: Errno?
        /// The number of the watch's target that was followed last.
        var followed: UInt64?
        var listeners: [ObjectIdentifier: WeakStoreListener] = [:]
        var toldHealth = WatchHealth.waitingForDirectory
    }

    private static let all = WeakRegistry<Key, DirectoryStore>()

    private let key: Key
    /// Guards all that changes. Held while listeners are attached, which reads their files, so that two changes of the
    /// directory never mix.
    private let state = Guarded(State())

    private init(_ key: Key) {
        self.key = key
    }

    deinit {
        // In a forked child a mutex may stay locked for ever.
        if CurrentProcess.isForked { return }
        state.withLock { state in
            setTarget(nil, &state)
            return state.watch
        }?.cancel()
        Self.all.objectHasEnded(for: key)
    }

    /// The store for a path, shared by all who use it in this process. A `leaf` is one file's name, whose links are followed.
    static func shared(
        path: String, leaf: String? = nil, sharing: Sharing?, usesNotifications: Bool
    ) -> DirectoryStore {
        let key = Key(
            path: ExactName(path), leaf: leaf.map(ExactName.init), sharing: sharing,
            usesNotifications: usesNotifications)
        return all.object(for: key) { DirectoryStore(key) }
    }

    var path: String { key.path.text }
    var sharing: Sharing? { key.sharing }
    var usesNotifications: Bool { key.usesNotifications }

    var health: WatchHealth { state.withLock { $0.watch?.health ?? .waitingForDirectory } }

    // MARK: Listeners

    func add(_ listener: any StoreListener) {
        state.withLock { state in
            state.listeners[ObjectIdentifier(listener)] = WeakStoreListener(listener: listener)
            if state.watch == nil {
                // From here on changes are reported, and wait for this lock; only then is anything read.
                let watch = PathWatch(
                    path: path, leaf: key.leaf?.text,
                    namesBesideLeaf: key.leaf == nil ? nil : [ExactName(ControlDirectory.name)],
                    usesNotifications: key.usesNotifications, delegate: self)
                state.watch = watch
                state.followed = nil
                state.toldHealth = watch.health
                let (target, refusal) = watch.destination
                setTarget(target, &state)
                state.refusal = refusal
            }
            attach(listener, state)
        }
        if noteMounts(at: [listener.name]) { tellHealth() }
    }

    func remove(_ id: ObjectIdentifier) {
        let watch = state.withLock { state -> PathWatch? in
            state.listeners[id] = nil
            guard state.listeners.isEmpty else { return nil }
            defer { state.watch = nil }
            setTarget(nil, &state)
            return state.watch
        }
        watch?.cancel()
    }

    private func attach(_ listener: any StoreListener, _ state: borrowing State) {
        if let directory = state.directory {
            listener.attach(to: directory.core(state.target?.leaf ?? listener.name))
        } else {
            listener.attach(to: FileCore(file: absentFile(of: listener, state)))
        }
    }

    private func absentFile(of listener: any StoreListener, _ state: borrowing State) -> AbsentFile {
        AbsentFile(path: path + "/" + listener.name, refusal: state.refusal, isInContainer: key.leaf == nil)
    }

    private func setTarget(_ target: PathTarget?, _ state: inout State) {
        let directory = target.map {
            DirectoryCore.shared($0.identity, path: $0.path, watcher: key.usesNotifications ? self : nil)
        }
        if let old = state.target {
            state.directory?.giveBack(old.path, watcher: key.usesNotifications ? ObjectIdentifier(self) : nil)
        }
        state.directory = directory
        state.target = target
    }

    /// Attaches every listener to where the path leads now, and returns the listeners if the target, or the reason for
    /// having none, has changed: for the caller to release outside of the lock, because releasing the last reference to
    /// a listener removes it from here.
    private func followTarget(_ state: inout State) -> [any StoreListener]? {
        guard let watch = state.watch else { return nil }
        let number = watch.targetNumber
        if number == state.followed { return nil }
        state.followed = number
        let (target, refusal) = watch.destination
        // Even if there is still no target, the reason may be another one, and "missing" differs from "cannot be
        // reached".
        if target == state.target, refusal == state.refusal { return nil }
        if target != state.target { setTarget(target, &state) }
        state.refusal = refusal
        let listeners = state.listeners.values.compactMap(\.listener)
        for listener in listeners { attach(listener, state) }
        return listeners
    }

    /// After their health: who learns that a value is gone can then ask any other whether the directory is.
    private func accept(_ moved: [any StoreListener]?) {
        for listener in moved ?? [] { ThreadPool.shared.execute { listener.acceptOffer() } }
    }

    func followPath() {
        // It may walk into a file system that does not answer: not under the lock, for which those wait that end.
        let isAnew = state.withLock(\.watch)?.resolveIfChanged() ?? false
        let (moved, touched) = state.withLock { state in
            let moved = followTarget(&state)
            // Attaching a listener to another core has read the file; without that something may have been missed.
            return (moved, isAnew && moved == nil ? cores(state) : [])
        }
        for core in touched { core.refresh() }
        tellHealth()
        accept(moved)
    }

    /// The cores of its values: of the directory's, or of the one file, beside which thousands may be open, each
    /// followed by a store of its own.
    private func cores(_ state: borrowing State) -> [FileCore] {
        guard let directory = state.directory else { return [] }
        guard key.leaf != nil else { return directory.existingCores }
        return state.target?.leaf.flatMap(directory.existingCore).map { [$0] } ?? []
    }

    // MARK: What the watch reports

    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?) {
        guard let directory = state.withLock(\.directory) else { return }
        noteControlDirectory(events, of: directory)
        directory.deliver(events).judgeEvents()
    }

    /// Reads nothing: neither what the path no longer leads to, nor what the old path leads to by now.
    func namesChanged(_ events: [InotifyEvent], inLeft target: PathTarget?) {
        guard let directory = state.withLock(\.directory) else { return }
        noteControlDirectory(events, of: directory)
    }

    private func noteControlDirectory(_ events: [InotifyEvent], of directory: DirectoryCore) {
        for index in events.indices where events[index].mask.contains(.isDirectory) {
            let event = events[index]
            // The control directory goes before its container can, whose own removal the kernel does not report while
            // somebody has it open.
            if !event.mask.isDisjoint(with: .gone), event.name == ControlDirectory.name {
                directory.closeLocks()
                directory.missing.controlDirectoryIsGone()
            }
        }
    }

    func everythingMayHaveChanged() {
        let (moved, directory, touched) = state.withLock { state in
            (followTarget(&state), state.directory, cores(state))
        }
        directory?.closeLocks()
        for core in touched { core.refresh() }
        tellHealth()
        accept(moved)
        if noteMounts() { tellHealth() }
    }

    func lookForChanges() -> Bool {
        let (moved, touched) = state.withLock { state in (followTarget(&state), cores(state)) }
        var hasChanged = moved != nil
        for core in touched where core.lookForChanges() { hasChanged = true }
        tellHealth()
        accept(moved)
        if noteMounts() { tellHealth() }
        return hasChanged
    }

    /// A single file that is mounted at a value's name has to be looked at; for one that was opened by its path, the watch
    /// sees to that.
    private func noteMounts(at names: [String]? = nil) -> Bool {
        if key.leaf != nil || !key.usesNotifications { return false }
        let (watch, listeners) = state.withLock { state in
            (state.watch, names == nil ? state.listeners.values.compactMap(\.listener) : [])
        }
        return watch?.noteMounts(at: names ?? listeners.map(\.name)) ?? false
    }

    private func tellHealth() {
        let listeners = state.withLock { state -> [any StoreListener] in
            let health = state.watch?.health ?? .waitingForDirectory
            if health == state.toldHealth { return [] }
            state.toldHealth = health
            return state.listeners.values.compactMap(\.listener)
        }
        for listener in listeners { listener.healthChanged() }
    }

    // MARK: Writing

    /// Nil for a single file's path: links anywhere on the way may lead to another directory.
    var pathForWriting: String? { key.leaf == nil ? path : nil }

    func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore {
        if key.leaf == nil, let core = state.withLock({ $0.directory?.core(listener.name) }) { return core }
        for _ in 0..<Attempts.most {
            followPath()
            if state.withLock({ $0.target?.isOpenFile == true }) { throw .openFile(path + "/" + listener.name) }
            let (core, isMissing) = state.withLock { state in
                (state.directory?.core(state.target?.leaf ?? listener.name), absentFile(of: listener, state).isMissing)
            }
            if let core { return core }
            if !makesDirectory, isMissing { throw .noDirectory(path) }
            if let refusal = state.withLock({ $0.watch?.refusal }) {
                let file = path + "/" + listener.name
                throw GroupFileError(
                    refusal, path: file, "follow the path", changes: false, advice: refusal.linkAdvice(at: file))
            }
            // It was refused a moment ago, and no longer is.
            if !makesDirectory { continue }
            do throws(Errno) {
                try makeDirectories()
            } catch {
                if error == .noEntry, Path.isWayBeingRemoved(to: path) { continue }
                throw GroupFileError(error, reaching: path, "make the container")
            }
        }
        throw GroupFileError(
            .directoryKeepsChanging, path: path, "the container is removed again and again; find out by whom")
    }

    /// A container is for its owner alone unless the caller says otherwise; the directories on a file's path are shared
    /// like the one in which they are created.
    private func makeDirectories() throws(Errno) {
        if key.leaf == nil { return try (key.sharing ?? .owner).makeDirectory(at: path) }
        let permissions = Sharing.ofNewDirectory(at: path).directoryPermissions
        try Path.makeDirectories(path, permissions: permissions, ofParents: permissions)
    }

    func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer {
        for _ in 0..<Attempts.most {
            followPath()
            let answer = state.withLock { state -> PathAnswer in
                if let directory = state.directory {
                    return directory.existingCore(state.target?.leaf ?? listener.name) === core ? .yes : .no
                }
                // It was not found, or could not be looked at.
                return state.watch?.refusal.map { !$0.leavesOpenWhatIsThere } == true ? .no : .unknown
            }
            if answer != .unknown { return answer }
            // Not found: is it because nothing is there?
            do throws(Errno) {
                _ = try Path.status(of: path)
            } catch {
                return error.isNotFound ? .no : .unknown
            }
            // By now something is there, which may be another directory.
        }
        return .unknown
    }
}
