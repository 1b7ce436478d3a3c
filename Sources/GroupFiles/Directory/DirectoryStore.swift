import FileEvents
import SystemCalls

/// The values of the directory that a path leads to, whichever directory that is at the moment.
///
/// 1. While anybody listens, the path is *followed*.
/// 2. What happens to a name is *passed on* to its core.
/// 3. Where the path leads to another directory, or to none, every listener is *attached* to the core there.
final class DirectoryStore: ContentStore, PathWatchDelegate {
    struct Key: Hashable {
        let path: ExactName
        let leaf: ExactName?
        /// How new files are shared; nil means like their directory.
        let sharing: Sharing?
        let usesNotifications: Bool
    }

    /// Where the listeners are attached.
    struct Place {
        let directory: DirectoryCore
        /// Where the directory is, and which file in it the path leads to, if it leads to a file.
        let target: PathTarget

        /// The name in the directory: in a container the value's own; for a file's path, the one to which its links
        /// lead.
        func name(of listener: any StoreListener) -> String { target.leaf ?? listener.name }
    }

    struct State {
        var watch: PathWatch?
        /// Nil where the path leads nowhere.
        var place: Place?
        /// Why the path leads nowhere, unless there is simply no directory.
        var refusal: Errno?
        /// The number of the watch's target that was followed last.
        var followed: UInt64?
        var listeners: [ObjectIdentifier: WeakStoreListener] = [:]
        var toldHealth = WatchHealth.waitingForDirectory
    }

    private static let all = WeakRegistry<Key, DirectoryStore>()

    let key: Key
    /// Guards all that changes. Held while listeners are attached, which reads their files, so that two changes of the
    /// directory never mix.
    let state = Guarded(State())

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

    /// The store for a path, shared by all that use the path in this process. A `leaf` is the name of a single file,
    /// whose links are followed.
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
    /// Whether the path is that of a container; otherwise it is that of a single file.
    var isContainer: Bool { key.leaf == nil }

    var health: WatchHealth { state.withLock { $0.watch?.health ?? .waitingForDirectory } }

    // MARK: Listeners

    func add(_ listener: any StoreListener) {
        state.withLock { state in
            state.listeners[ObjectIdentifier(listener)] = WeakStoreListener(listener: listener)
            if state.watch == nil {
                // From here on changes are reported, and wait for this lock; only then is anything read.
                let watch = PathWatch(
                    path: path, leaf: key.leaf?.text,
                    namesBesideLeaf: isContainer ? nil : [ExactName(ControlDirectory.name)],
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
        // As a job, because the caller may hold a lock that a listener wants.
        if noteMounts(at: [listener.name]) { ThreadPool.shared.execute { [self] in tellHealth() } }
    }

    func remove(_ id: ObjectIdentifier) {
        let watch = state.withLock { state -> PathWatch? in
            state.listeners[id] = nil
            guard state.listeners.isEmpty else { return nil }
            setTarget(nil, &state)
            return state.watch.take()
        }
        watch?.cancel()
    }

    private func attach(_ listener: any StoreListener, _ state: borrowing State) {
        if let place = state.place {
            listener.attach(to: place.directory.core(place.name(of: listener)))
        } else {
            listener.attach(to: FileCore(file: absentFile(of: listener, state)))
        }
    }

    func absentFile(of listener: any StoreListener, _ state: borrowing State) -> AbsentFile {
        AbsentFile(path: path + "/" + listener.name, refusal: state.refusal, isInContainer: isContainer)
    }

    private func setTarget(_ target: PathTarget?, _ state: inout State) {
        let place = target.map { target in
            Place(
                directory: .shared(target.identity, path: target.path, watcher: usesNotifications ? self : nil),
                target: target)
        }
        if let old = state.place {
            old.directory.giveBack(old.target.path, watcher: usesNotifications ? ObjectIdentifier(self) : nil)
        }
        state.place = place
    }

    /// If the target, or the reason for having none, has changed, attaches every listener to where the path leads now.
    /// Returns these listeners for the caller to release outside of the lock, because releasing the last reference to a
    /// listener removes it from here. Nil if nothing has changed.
    private func followTarget(_ state: inout State) -> [any StoreListener]? {
        guard let watch = state.watch else { return nil }
        let number = watch.targetNumber
        if number == state.followed { return nil }
        state.followed = number
        let (target, refusal) = watch.destination
        // Even if there is still no target, the reason may be another one, and "missing" differs from "cannot be
        // reached".
        let old = state.place?.target
        if target == old, refusal == state.refusal { return nil }
        if target != old { setTarget(target, &state) }
        state.refusal = refusal
        let listeners = state.listeners.values.compactMap(\.listener)
        for listener in listeners { attach(listener, state) }
        return listeners
    }

    /// Lets moved listeners accept what they were offered. To be called after their health was reported: code that
    /// learns that a value is gone may ask any other value whether the directory is gone, too.
    private func accept(_ moved: [any StoreListener]?) {
        for listener in moved ?? [] { ThreadPool.shared.execute { listener.acceptOfferAsJob() } }
    }

    func followPath() { followPath { _ in } }

    /// Follows the path, and returns what `look` finds then.
    func followPath<Result: Sendable>(_ look: (borrowing State) -> Result) -> Result {
        // Not under the lock: this may walk into a file system that does not answer, and listeners that end wait for
        // the lock.
        let isAnew = state.withLock(\.watch)?.resolveIfChanged() ?? false
        let (moved, touched, concerned, found) = state.withLock { state in
            let moved = followTarget(&state)
            // Attaching a listener to another core has read the file; if none was attached, something may have been
            // missed.
            return (moved, isAnew && moved == nil ? cores(state) : [], noteHealth(&state), look(state))
        }
        for core in touched { core.refresh() }
        for listener in concerned { listener.healthChanged() }
        accept(moved)
        return found
    }

    /// The cores of this store's values: all those of a directory; or that of a single file, beside which thousands may
    /// be open, each followed by a store of its own.
    private func cores(_ state: borrowing State) -> [FileCore] {
        guard let place = state.place else { return [] }
        if isContainer { return place.directory.existingCores }
        return place.target.leaf.flatMap(place.directory.existingCore).map { [$0] } ?? []
    }

    // MARK: What the watch reports

    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?, isLeft: Bool) {
        guard let directory = state.withLock(\.place?.directory) else { return }
        noteControlDirectory(events, of: directory)
        // Otherwise nothing is read: neither the directory that the path has left, nor what the old path leads to by
        // now.
        if !isLeft { for core in directory.deliver(events) { core.judgeEvents() } }
    }

    private func noteControlDirectory(_ events: [InotifyEvent], of directory: DirectoryCore) {
        for index in events.indices where events[index].mask.contains(.isDirectory) {
            let event = events[index]
            // The control directory is removed before its container can be. The kernel does not report the removal of
            // the container itself while somebody has that open.
            if !event.mask.isDisjoint(with: .gone), event.name == ControlDirectory.name {
                directory.closeLocks()
                directory.missing.controlDirectoryIsGone()
            }
        }
    }

    func everythingMayHaveChanged() {
        let (moved, directory, touched) = state.withLock { state in
            (followTarget(&state), state.place?.directory, cores(state))
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

    /// Makes the watch look at single files that are mounted at values' names; true if there is a new one. For a value
    /// that was opened by its path, the watch does that by itself.
    private func noteMounts(at names: [String]? = nil) -> Bool {
        guard isContainer, usesNotifications else { return false }
        let (watch, listeners) = state.withLock { state in
            (state.watch, names == nil ? state.listeners.values.compactMap(\.listener) : [])
        }
        return watch?.noteMounts(at: names ?? listeners.map(\.name)) ?? false
    }

    private func tellHealth() {
        for listener in state.withLock({ noteHealth(&$0) }) { listener.healthChanged() }
    }

    /// Notes the health. If it has changed, returns the listeners to notify.
    private func noteHealth(_ state: inout State) -> [any StoreListener] {
        let health = state.watch?.health ?? .waitingForDirectory
        if health == state.toldHealth { return [] }
        state.toldHealth = health
        return state.listeners.values.compactMap(\.listener)
    }
}
