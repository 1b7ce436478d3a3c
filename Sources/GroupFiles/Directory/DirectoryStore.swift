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
        /// Nil: as the directory is.
        let sharing: Sharing?
        let usesNotifications: Bool
    }

    private struct State {
        var watch: PathWatch?
        /// Where the listeners are attached; nil where the path leads nowhere.
        var directory: DirectoryCore?
        /// What `directory` is: where, and which file in it the path leads to, if it leads to a file.
        var target: PathTarget?
        /// Why `target` is nil, where the path leads on to no end.
        var refusal: Errno?
        /// By which number of the watch's target that is known.
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
        // In a forked child the locks may be held for ever.
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
                // From here on changes are told, to this lock; only then anything is read.
                let watch = PathWatch(
                    path: path, leaf: key.leaf?.text, usesNotifications: key.usesNotifications, delegate: self)
                state.watch = watch
                state.followed = nil
                state.toldHealth = watch.health
                setTarget(watch.target, &state)
                state.refusal = watch.refusal
            }
            attach(listener, state)
        }
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
            let file = AbsentFile(
                path: path + "/" + listener.name, refusal: state.refusal, isInContainer: key.leaf == nil)
            listener.attach(to: FileCore(file: file))
        }
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

    /// Attaches every listener to where the path leads now, and returns them where that was another directory: for the
    /// caller to release outside of the lock, because the last one who releases a listener removes it from here.
    private func followTarget(_ state: inout State) -> [any StoreListener]? {
        guard let watch = state.watch else { return nil }
        let number = watch.targetNumber
        if number == state.followed { return nil }
        state.followed = number
        let (target, refusal) = (watch.target, watch.refusal)
        // Where there is none it may be for another reason now, and missing is another thing than not to be had.
        if target == state.target, refusal == state.refusal { return nil }
        if target != state.target { setTarget(target, &state) }
        state.refusal = refusal
        let listeners = state.listeners.values.compactMap(\.listener)
        for listener in listeners {
            attach(listener, state)
            ThreadPool.shared.execute { listener.acceptOffer() }
        }
        return listeners
    }

    func followPath() {
        let (moved, directory) = state.withLock { state in
            let isAnew = state.watch?.resolveIfChanged() ?? false
            let moved = followTarget(&state)
            return (moved, isAnew ? state.directory : nil)
        }
        // A listener that was attached to another core has read it; one that was not may have missed something.
        if moved == nil { for core in directory?.existingCores ?? [] { core.refresh() } }
        tellHealth()
    }

    // MARK: What the watch tells

    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?) {
        guard let directory = state.withLock(\.directory) else { return }
        noteControlDirectory(events, of: directory)
        directory.deliver(events).judgeEvents()
    }

    /// Nothing is read of what the path does not lead to any more, nor of what bears the old path by now.
    func namesChanged(_ events: [InotifyEvent], inLeft target: PathTarget?) {
        guard let directory = state.withLock(\.directory) else { return }
        noteControlDirectory(events, of: directory)
    }

    private func noteControlDirectory(_ events: [InotifyEvent], of directory: DirectoryCore) {
        for index in events.indices where events[index].mask.contains(.isDirectory) {
            let event = events[index]
            // It has to go before the directory can, whose own end is not told while somebody has it open.
            if !event.mask.isDisjoint(with: .gone), event.name == ControlDirectory.name {
                directory.closeLocks()
                directory.missing.controlDirectoryIsGone()
            }
        }
    }

    func everythingMayHaveChanged() {
        let (_, directory) = state.withLock { state in (followTarget(&state), state.directory) }
        directory?.closeLocks()
        for core in directory?.existingCores ?? [] { core.refresh() }
        tellHealth()
    }

    func lookForChanges() -> Bool {
        let (moved, directory) = state.withLock { state in (followTarget(&state), state.directory) }
        var hasChanged = moved != nil
        for core in directory?.existingCores ?? [] where core.lookForChanges() { hasChanged = true }
        tellHealth()
        return hasChanged
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

    /// A file by its path may be reached through links anywhere on the way.
    var pathForWriting: String? { key.leaf == nil ? path : nil }

    func coreForWriting(_ listener: any StoreListener) throws(GroupFileError) -> FileCore {
        if key.leaf == nil, let core = state.withLock({ $0.directory?.core(listener.name) }) { return core }
        for _ in 0..<Attempts.most {
            followPath()
            if state.withLock({ $0.target?.isOpenFile == true }) { throw .openFile(path + "/" + listener.name) }
            if let core = state.withLock({ $0.directory?.core($0.target?.leaf ?? listener.name) }) { return core }
            if let refusal = state.withLock({ $0.watch?.refusal }) {
                let file = path + "/" + listener.name
                throw GroupFileError(
                    refusal, path: file, "follow the path", changes: false, advice: refusal.linkAdvice(at: file))
            }
            do throws(Errno) {
                try makeDirectories()
            } catch {
                if error == .noEntry, isWayBeingRemoved { continue }
                throw GroupFileError(
                    error, path: path, "make the container", changes: false, advice: error.obstacleAdvice(at: path))
            }
        }
        throw GroupFileError(
            .directoryKeepsChanging, path: path, "the container is removed again and again; find out by whom")
    }

    /// Whether a directory could not be made because those above it are being removed. In some, such as /proc, none can be
    /// made, and they say the same.
    private var isWayBeingRemoved: Bool {
        var above = Path.beforeLastSlash(path) ?? ""
        var isParent = true
        while !above.isEmpty {
            do throws(Errno) {
                return try !Path.isOfProcesses(above) && !isParent
            } catch {
                if error != .noEntry { return false }
            }
            above = Path.beforeLastSlash(above) ?? ""
            isParent = false
        }
        return !isParent
    }

    /// A container is its owner's, where nobody says otherwise; the directories on a file's path are shared as the one is
    /// in which they are made.
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
                // Not found, or not to be looked at.
                return state.watch?.refusal.map { !$0.leavesOpenWhatIsThere } == true ? .no : .unknown
            }
            if answer != .unknown { return answer }
            // It was not found: because it is not there?
            do throws(Errno) {
                _ = try Path.status(of: path)
            } catch {
                return error.isNotFound ? .no : .unknown
            }
            // It is there by now, and may be another one.
        }
        return .unknown
    }
}
