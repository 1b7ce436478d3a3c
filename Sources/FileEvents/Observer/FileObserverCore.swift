import Dispatch
import SystemCalls

/// Does the work of a ``FileObserver``, which itself is only a handle, so that releasing the handle cancels.
///
/// 1. Once it is active, the path is *watched*, and the entries of a directory that is there.
/// 2. For changes it *looks* at what is there, and *translates* the difference into events.
/// 3. ``ObserverCalls`` *calls* the handlers for them.
///
/// In a forked child nothing is done: the lock may be held by a thread that does not exist there.
final class FileObserverCore: PathWatchDelegate {
    typealias Event = FileObserver.FileSystemEvent
    typealias Handler = ObserverDelivery.Handler

    private struct State {
        var watch: PathWatch?
        /// Watches the entries of the directory that is, or was, at the path.
        var entries: (watch: PathWatch, listener: EntryListener)?
        var last = LastLook()
    }

    /// What was there at the last look, and what is there now.
    private struct Look {
        let isWatching: Bool
        let target: PathTarget?
        let before: FileStatus?
        let now: FileStatus?
        let isElsewhere: Bool

        var event: Event { .between(before, now, isElsewhere: isElsewhere) }
    }

    let mask: Event
    /// Absolute; nil if nothing can ever be at the path.
    private let path: String?
    private let calls: ObserverCalls
    /// Guards all that changes.
    private let state = Guarded(State())

    init(path: String, mask: Event, queue: DispatchQueue?) {
        self.path = Self.absolute(path)
        self.mask = mask
        calls = ObserverCalls(on: queue)
    }

    private static func absolute(_ path: String) -> String? {
        if path.isEmpty || path.utf8.contains(0) { return nil }
        do throws(Errno) {
            return try Path.absolute(path)
        } catch {
            // The current directory has been removed, so that nothing can ever be at a path relative to it; or its path
            // is not UTF-8, and cannot be followed.
            return nil
        }
    }

    var data: Event { isUsable ? calls.data : [] }
    var isCancelled: Bool { !isUsable || calls.isCancelled }

    /// Nil while nothing is observed.
    var health: WatchHealth? { isCancelled ? nil : watchHealth }

    func setEventHandler(_ handler: Handler?) {
        if isUsable { calls.setEventHandler(handler) }
    }

    func setCancelHandler(_ handler: Handler?) {
        if isUsable { calls.setCancelHandler(handler) }
    }

    /// Checked at each entry point; false in a forked child. If a thread of the pool could not be created, this retries
    /// it: nothing but such a call can.
    private var isUsable: Bool {
        ThreadPool.shared.makeMissingSupervisor()
        return !CurrentProcess.isForked
    }

    func activate() {
        guard isUsable, calls.activate() else { return }
        guard let path, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        let watch = PathWatch(
            path: String(path[...slash]), leaf: String(path[path.utf8.index(after: slash)...]),
            namesBesideLeaf: [], beginsNow: true, delegate: self)
        state.withLock { $0.watch = watch }
        // Checked only now: a cancel before the watch was stored has not found it, and a later one does.
        if calls.isCancelled { watch.cancel() } else { _ = look() }
    }

    /// With `mayWait`, waits for a call that another thread of the library is making.
    func cancel(mayWait: Bool) {
        guard isUsable else { return }
        calls.cancel {
            for watch in state.withLock({ [$0.watch, $0.entries?.watch] }) { watch?.cancel() }
        }
        if mayWait, !HandlerScope.isInside { calls.waitForCall() }
    }

    private func report(_ event: Event) {
        calls.add(event.intersection(mask))
    }

    // MARK: Translating

    func namesChanged(_ changes: [InotifyEvent], in target: PathTarget?, isLeft: Bool) {
        guard let leaf = target?.leaf else { return }
        let told = ToldEvents(changes, of: ExactName(leaf))
        if told.event.isEmpty { return }
        let look = look()
        // The observer is just being activated, and what it finds then is where it begins.
        if !look.isWatching { return }
        let event = told.completed(
            before: look.before, now: look.now, isLost: look.now == nil && look.target != target)
        report(look.isElsewhere ? event.union(.revoke) : event)
    }

    func everythingMayHaveChanged() { reportWhatMayHaveBeen() }

    func pathMayHaveLedElsewhere() { reportWhatMayHaveBeen() }

    /// Reports changes that caused no events and need not be visible now: in between there may have been another file,
    /// or a file where there was none, or no file, and a handler may have read that.
    private func reportWhatMayHaveBeen() {
        let look = look()
        // The observer is just being activated, and what it finds then is where it begins.
        if !look.isWatching { return }
        switch (look.before, look.now) {
        // Until the handler is first called, the program has no reason to believe in a file that is not there.
        case (nil, nil): report(calls.data.isEmpty ? look.event : look.event.union(.delete))
        case (.some, .some): report(look.event.union(.write))
        default: report(look.event)
        }
    }

    /// Changes of the file itself have caused events.
    func accessMayHaveChanged() {
        report(look().event)
    }

    func lookForChanges() -> Bool {
        let event = look().event
        if event.isEmpty, isPolled, state.withLock({ $0.last.endDoubt() }) { report(.write) }
        report(event)
        return !event.isEmpty
    }

    func fileSystemWasUnmounted(with target: PathTarget?) {
        // The directory is forgotten, because the look that finds what was underneath would otherwise report this once
        // more. If that look came first, it has reported this already.
        if state.withLock({ $0.last.forgetDirectory(target?.identity) }) { report(.revoke) }
    }

    /// Polling, if the path or a directory's entries are polled.
    private var watchHealth: WatchHealth? {
        let found = state.withLock { [$0.watch, $0.entries?.watch] }.compactMap { $0?.health }
        return found.first(where: \.isPolling) ?? found.first
    }

    /// Whether changes may go unreported. Where the kernel reports changes, what it has not reported has not happened.
    private var isPolled: Bool { watchHealth?.isPolling ?? false }

    /// Names came or went in the directory that was there at the time of the event; it may be gone by now.
    func entriesChanged() {
        _ = noteDirectory()
        report(.write)
    }

    /// Names may have come or gone in the directory that is there.
    func entriesMayHaveChanged() {
        if noteDirectory() { report(.write) }
    }

    /// False if no directory is there.
    private func noteDirectory() -> Bool {
        let (watch, number) = beginLook()
        guard case .file(let now) = Sighting(at: watch?.destination), now.kind == .directory else { return false }
        state.withLock { state in
            // Otherwise something else is there, and the look that finds it reports that.
            if state.last.file?.identity == now.identity, state.last.accept(number) {
                _ = state.last.note(now)
            }
        }
        return true
    }

    private func beginLook() -> (watch: PathWatch?, number: UInt64) {
        state.withLock { ($0.watch, $0.last.begin()) }
    }

    /// If a directory is there, its entries are watched from now on.
    private func look() -> Look {
        while true {
            let (watch, number) = beginLook()
            let destination = watch?.destination
            let target = destination?.target
            let found = Sighting(at: destination)
            // Look again: entries that came or went before they were watched would otherwise be found by their
            // directory's time, much later.
            if case .file(let file) = found, file.kind == .directory, watchEntries() { continue }
            let look = state.withLock { state -> Look? in
                // A look that began later was noted already, and either may have found what is there now: look again.
                guard state.last.accept(number) else { return nil }
                let now: FileStatus? =
                    switch found {
                    case .file(let file): file
                    case .nothing: nil
                    case .unknown: state.last.file
                    }
                return Look(
                    isWatching: watch != nil, target: target, before: state.last.note(now), now: now,
                    isElsewhere: state.last.note(target))
            }
            if let look { return look }
        }
    }

    /// Watches the entries of the directory at the path. Done once: the watch stays, and waits while there is no
    /// directory. False if it was done before, or if the mask does not ask for it. Only this watch reports the
    /// permissions of a directory that is a mount point.
    private func watchEntries() -> Bool {
        guard let path, state.withLock({ $0.entries == nil }),
            mask.contains(.write) || mask.contains(.attrib) && MountedNames.isMounted(path)
        else { return false }
        let listener = EntryListener(self)
        let watch = PathWatch(path: path, leaf: nil, watchesNewNames: true, beginsNow: true, delegate: listener)
        let isWanted = state.withLock { state in
            guard state.entries == nil else { return false }
            state.entries = (watch, listener)
            return true
        }
        // A cancel before the watch was stored has not found it.
        if !isWanted || calls.isCancelled { watch.cancel() }
        return isWanted
    }
}
