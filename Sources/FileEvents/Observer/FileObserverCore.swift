import Dispatch
import SystemCalls

/// What a ``FileObserver`` does; the observer itself is only its handle, so that dropping it cancels.
///
/// 1. Changes are *translated* into events, and *merged* into what is pending.
/// 2. If nobody is delivering, a delivery is *submitted*; it *calls* the handler until nothing is pending, on a queue in
///    one block for each call.
/// 3. After a cancel the delivery *calls* the cancel handler, and is the last. Whoever cancels *waits* for the call
///    that is being made, but not for one on a queue.
///
/// Handlers may hold anything, also the observer: they are *released* outside of the lock, because that takes it.
///
/// In a child that was forked nothing is done: the lock may be held by a thread that is not there.
final class FileObserverCore: PathWatchDelegate {
    typealias Event = FileObserver.FileSystemEvent
    typealias Handler = @Sendable () -> Void

    private enum Phase {
        case inactive, active, cancelled
        /// The cancel handler was called, or is being called.
        case ended
    }

    private struct State {
        var phase = Phase.inactive
        var watch: PathWatch?
        /// Of the directory that is, or was, at the path.
        var entries: (watch: PathWatch, listener: EntryListener)?
        var eventHandler: Handler?
        var cancelHandler: Handler?
        var pending: Event = []
        var data: Event = []
        var isDelivering = false
        /// Whether the event handler is being called on a thread of the library, and who waits for that to end.
        var isCalling = false
        var waiting: CallInProgress?
        var last = LastLook()
    }

    /// What was there when it was looked at last, and what is there now.
    private struct Look {
        let isWatching: Bool
        let target: PathTarget?
        let before: FileStatus?
        let now: FileStatus?
        let isElsewhere: Bool
        /// Whether the handler was ever called: as long as it was not, nobody takes for there what is not.
        let wasTold: Bool

        var event: Event { .between(before, now, isElsewhere: isElsewhere) }
    }

    let mask: Event
    /// Absolute; nil where nothing can ever be.
    private let path: String?
    private let queue: DispatchQueue?
    /// Guards all that changes.
    private let state = Guarded(State())

    init(path: String, mask: Event, queue: DispatchQueue?) {
        self.path = Self.absolute(path)
        self.mask = mask
        self.queue = queue
    }

    private static func absolute(_ path: String) -> String? {
        if path.isEmpty || path.utf8.contains(0) { return nil }
        do throws(Errno) {
            return try Path.absolute(path)
        } catch {
            // The current directory was removed, and nothing can ever be at a path that is relative to it; or its path is
            // not UTF-8, and cannot be followed.
            return nil
        }
    }

    var data: Event { isUsable ? state.withLock(\.data) : [] }

    var isCancelled: Bool {
        !isUsable || state.withLock { $0.phase == .cancelled || $0.phase == .ended }
    }

    func setEventHandler(_ handler: Handler?) {
        guard isUsable else { return }
        let released = state.withLock { state in
            // It would never be called, and never be released.
            if state.phase == .cancelled || state.phase == .ended { return handler }
            return exchange(&state.eventHandler, with: handler)
        }
        withExtendedLifetime(released) {}
    }

    func setCancelHandler(_ handler: Handler?) {
        guard isUsable else { return }
        let released = state.withLock { state in
            if state.phase == .ended { return handler }
            return exchange(&state.cancelHandler, with: handler)
        }
        withExtendedLifetime(released) {}
    }

    /// At each door: false in a child that was forked. Where no thread was to be had, nobody but who comes here can
    /// make it.
    private var isUsable: Bool {
        ThreadPool.shared.makeMissingThreads()
        return !CurrentProcess.isForked
    }

    func activate() {
        guard isUsable else { return }
        let isFirst = state.withLock { state in
            defer { if state.phase == .inactive { state.phase = .active } }
            return state.phase == .inactive
        }
        guard isFirst, let path, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        let watch = PathWatch(
            path: String(path[...slash]), leaf: String(path[path.utf8.index(after: slash)...]),
            watchesOnlyLeaf: true, beginsNow: true, delegate: self)
        let isCancelled = state.withLock { state in
            state.watch = watch
            return state.phase != .active
        }
        if isCancelled { watch.cancel() } else { _ = look() }
    }

    /// Where it `mayWait`, it returns after the call that another thread of the library is making.
    func cancel(mayWait: Bool) {
        guard isUsable else { return }
        let (watches, mustSubmit) = state.withLock { state -> ([PathWatch?], Bool) in
            guard state.phase == .inactive || state.phase == .active else { return ([], false) }
            state.phase = .cancelled
            state.pending = []
            defer { state.isDelivering = true }
            return ([state.watch, state.entries?.watch], !state.isDelivering)
        }
        for watch in watches { watch?.cancel() }
        if mustSubmit { submit() }
        if mayWait, !HandlerScope.isInside { waitForCall() }
    }

    private func waitForCall() {
        let call = state.withLock { state -> CallInProgress? in
            guard state.isCalling else { return nil }
            let call = state.waiting ?? CallInProgress()
            state.waiting = call
            return call
        }
        call?.wait()
    }

    // MARK: Delivering

    private func report(_ event: Event) {
        let mustSubmit = state.withLock { state in
            let wanted = event.intersection(mask)
            guard state.phase == .active, !wanted.isEmpty else { return false }
            state.pending.formUnion(wanted)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if mustSubmit { submit() }
    }

    private func submit() {
        if let queue {
            queue.async { self.deliver() }
        } else {
            ThreadPool.shared.execute { self.deliver() }
        }
    }

    private func deliver() {
        HandlerScope.run {
            if queue == nil {
                while callNext() { endCall() }
            } else if callNext(), continueDelivering() {
                submit()
            }
        }
    }

    /// The handler is released when this returns: nothing of a call outlives it where somebody waits for its end.
    private func callNext() -> Bool {
        guard let call = nextCall() else { return false }
        call()
        return true
    }

    /// Ends the delivery where nothing is pending. Else it wants to be submitted anew, so that a busy file does not keep the
    /// main queue for itself.
    private func continueDelivering() -> Bool {
        state.withLock { state in
            state.isDelivering = state.phase == .cancelled || state.phase == .active && !state.pending.isEmpty
            return state.isDelivering
        }
    }

    private func endCall() {
        let waiting = state.withLock { state in
            state.isCalling = false
            return state.waiting.take()
        }
        waiting?.end()
    }

    private func nextCall() -> Handler? {
        let (call, released) = state.withLock { state -> (Handler?, Handler?) in
            if state.phase == .cancelled {
                state.phase = .ended
                return (state.cancelHandler.take() ?? {}, state.eventHandler.take())
            }
            guard state.phase == .active, !state.pending.isEmpty else {
                state.isDelivering = false
                return (nil, nil)
            }
            state.data = state.pending
            state.pending = []
            state.isCalling = queue == nil
            return (state.eventHandler ?? {}, nil)
        }
        withExtendedLifetime(released) {}
        return call
    }

    // MARK: Translating

    func namesChanged(_ changes: [InotifyEvent], in target: PathTarget?) {
        guard let leaf = target?.leaf else { return }
        let told = ToldEvents(changes, of: ExactName(leaf))
        if told.event.isEmpty { return }
        let look = look()
        // It is just being activated, and what it finds then is where it begins.
        if !look.isWatching { return }
        let event = told.completed(
            before: look.before, now: look.now, isLost: look.now == nil && look.target != target)
        report(look.isElsewhere ? event.union(.revoke) : event)
    }

    func everythingMayHaveChanged() { reportWhatMayHaveBeen() }

    func pathMayHaveLedElsewhere() { reportWhatMayHaveBeen() }

    /// What happened was not told, and need not be seen: another file may have been there, or one, or none, and whoever
    /// was called may have read that.
    private func reportWhatMayHaveBeen() {
        let look = look()
        // It is just being activated, and what it finds then is where it begins.
        if !look.isWatching { return }
        switch (look.before, look.now) {
        case (nil, nil): report(look.wasTold ? look.event.union(.delete) : look.event)
        case (.some, .some): report(look.event.union(.write))
        default: report(look.event)
        }
    }

    /// What happened to the file was told.
    func accessMayHaveChanged() {
        report(look().event)
    }

    func lookForChanges() -> Bool {
        let event = look().event
        if event.isEmpty, isPolled, state.withLock({ $0.last.endDoubt() }) { report(.write) }
        report(event)
        return !event.isEmpty
    }

    func fileSystemWasUnmounted() {
        // Else the look that finds what was under it would tell that once more.
        state.withLock { $0.last.forgetDirectory() }
        report(.revoke)
    }

    /// Where the kernel tells, what it has not told has not happened.
    private var isPolled: Bool {
        let watches = state.withLock { [$0.watch, $0.entries?.watch] }
        return watches.contains { if case .polling? = $0?.health { true } else { false } }
    }

    /// Names came or went in the directory that was there when it was told; it may be gone by now.
    func entriesChanged() {
        _ = noteDirectory()
        report(.write)
    }

    /// Names may have come or gone in the directory that is there.
    func entriesMayHaveChanged() {
        if noteDirectory() { report(.write) }
    }

    /// False where no directory is there.
    private func noteDirectory() -> Bool {
        let (watch, last, number) = beginLook()
        guard let now = find(watch, else: last), now.kind == .directory else { return false }
        state.withLock { state in
            // Else it is for the look that finds another thing there to tell of that.
            if state.last.file?.identity == now.identity, state.last.accept(number) {
                _ = state.last.note(now)
            }
        }
        return true
    }

    private func beginLook() -> (watch: PathWatch?, last: FileStatus?, number: UInt64) {
        state.withLock { ($0.watch, $0.last.file, $0.last.begin()) }
    }

    /// Of a directory, what comes and goes in it is told from now on.
    private func look() -> Look {
        while true {
            let (watch, last, number) = beginLook()
            let target = watch?.target
            let now = find(watch, else: last)
            if now?.kind == .directory { watchEntries() }
            let look = state.withLock { state -> Look? in
                // Another look that began later was noted, and either may have found what is there now: look again.
                guard state.last.accept(number) else { return nil }
                return Look(
                    isWatching: watch != nil, target: target, before: state.last.note(now), now: now,
                    isElsewhere: state.last.note(target), wasTold: !state.data.isEmpty)
            }
            if let look { return look }
        }
    }

    /// What is there; where that cannot be told, what was there last: not to be able to look is another thing than that
    /// there is nothing.
    private func find(_ watch: PathWatch?, else last: FileStatus?) -> FileStatus? {
        guard let target = watch?.target, let leaf = target.leaf else {
            return watch?.refusal?.leavesOpenWhatIsThere == true ? last : nil
        }
        do throws(Errno) {
            return try Path.linkStatus(of: target.path + "/" + leaf)
        } catch {
            return error.leavesOpenWhatIsThere ? last : nil
        }
    }

    /// Once and for all: the watch waits where there is no directory any more.
    private func watchEntries() {
        guard mask.contains(.write), let path, state.withLock({ $0.entries == nil }) else { return }
        let listener = EntryListener(self)
        let watch = PathWatch(path: path, leaf: nil, watchesNewNames: true, beginsNow: true, delegate: listener)
        let isWanted = state.withLock { state in
            guard state.phase == .active, state.entries == nil else { return false }
            state.entries = (watch, listener)
            return true
        }
        if !isWanted { watch.cancel() }
    }
}
