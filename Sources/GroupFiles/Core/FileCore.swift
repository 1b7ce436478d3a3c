import FileEvents
import SystemCalls

/// One file of this process: reads it, numbers what it finds, and passes that on to every listener in this order.
///
/// 1. Events are *judged* by ``Settling``: read now, or wait for the writer.
/// 2. The file is *read*, or a write of our own is *committed*, under the lock, and nothing slower.
/// 3. What is new to ``KnownContent`` is *numbered* and *offered* to the listeners, still under the lock: nowhere else.
/// 4. Outside of the lock the listeners *accept*: they decode, and call their subscribers.
final class FileCore: Sendable {
    /// How long events that came while our own change was being published, such as its echo, wait after that to be
    /// judged.
    private static let echoDelay = Duration.milliseconds(1)

    let file: any StoredFile
    /// Taken under the lock of `state`, too; nothing else is done under it.
    let inbox = Guarded(EventInbox())
    /// The claims of updates that hold the file's lock.
    let claims = LockClaims()
    /// Guards all that changes. The file is opened, read and renamed under it, so that contents are offered in the
    /// order of reading.
    let state = Guarded(CoreState())

    /// The core of a listener that is just being made: its store attaches it to another one before anybody sees it.
    static let unattached = FileCore(file: AbsentFile(path: ""))

    init(file: any StoredFile) {
        self.file = file
    }

    // MARK: Listeners

    /// Adds a listener, reads the file, and offers the listener what is there; returns after that.
    func add(_ listener: any CoreListener) {
        let told = state.withLock { state in
            state.listeners.add(listener)
            state.limit = max(state.limit, listener.maximumSize)
            state.settling.mayHaveMissed()
            let (before, now) = (state.known.number, Moment.now)
            let told = readNow(&state, now, caller: listener)
            if state.known.number == before { listener.take(state.publication(at: now), from: self) }
            return told.filter { $0.listener !== listener }
        }
        if told.isEmpty { return }
        // All our references to the others move to a job: releasing the last one to a listener takes a lock that the
        // caller holds.
        let others = Guarded(consume told)
        ThreadPool.shared.execute { [self] in accept(others.withLock { exchange(&$0, with: []) }) }
    }

    func remove(_ id: ObjectIdentifier) {
        state.withLock { $0.listeners.remove(id) }
    }

    // MARK: What happens to the file

    /// Receives an event. True if it should be judged now.
    func receive(_ mask: InotifyMask, _ number: UInt64) -> Bool {
        inbox.withLock { $0.receive(mask, number) }
    }

    /// Judges the events that were received, in order.
    func judgeEvents() {
        offering { state in
            // Taken under the lock, so that they are judged in order.
            let masks = inbox.withLock { $0.takeAll() }
            if masks.isEmpty { return [] }
            defer { state.waiters.wakeAll() }
            let now = Moment.now
            let isReadable = if case .unreadable = state.known.content { false } else { true }
            for mask in masks {
                // At once, and not after the settle time, so that a file that is linked there meanwhile is read without
                // waiting.
                if mask.contains(.delete) { file.nameIsGone() }
                if !mask.isDisjoint(with: .written) { file.mayHaveChanged() }
                state.settling.note(mask, at: now, isReadable: isReadable)
            }
            switch state.settling.verdict {
            case .readNow: return readFinished(&state, now)
            case .look where isLinkOfFinishedFile():
                // Nothing is left to wait for. If it stayed pending, every later look would leave the file to an alarm
                // that nobody has set.
                state.settling.stopWaiting()
                return readNow(&state, now)
            case .look, .wait: setAlarm(&state)
            case .nothing: break
            }
            return []
        }
    }

    /// Reads the file and offers what is new, whatever events there were.
    func refresh() {
        offering { state in
            file.mayHaveChanged()
            state.settling.mayHaveMissed()
            return readNow(&state, .now)
        }
    }

    /// Looks for a change that no event has reported; true if there was one. A file that cannot have changed is not
    /// read. Nor is anything taken from a file that somebody is writing, as events say, or as its age suggests while
    /// its events may still be on their way: such a file is read once its writer is done.
    func lookForChanges() -> Bool {
        let (hasChanged, told) = state.withLock { state -> (Bool, [OfferedListener]) in
            if state.settling.isPending { return (false, []) }
            if let fingerprint = file.fingerprint(), state.known.isProven(by: fingerprint) { return (false, []) }
            let before = state.known.number
            let told = readNow(&state, .now, .looked)
            return (state.known.number != before || state.settling.isPending, told)
        }
        accept(told)
        return hasChanged
    }

    /// Reads what is there now, and offers it to all. The caller need not be a listener yet, and has its own `limit`.
    func read(limit: Int) -> Publication {
        read(limit) { limit in file.read(limit: limit) }
    }

    /// Like ``read(limit:)``, but through `lock`, for a change. Throws if the lock was lost: then the path may lead
    /// elsewhere, and what is there, which is newer, may have been offered already.
    func read(through lock: any StoredFileLock, limit: Int) throws(GroupFileError) -> Publication {
        try read(limit) { limit throws(GroupFileError) in
            let found = file.read(through: lock, limit: limit)
            if lock.isLost { throw .lockLost(file.path) }
            return found
        }
    }

    private func read<Failure>(
        _ limit: Int, _ body: (_ limit: Int) throws(Failure) -> (content: Content, fingerprint: Fingerprint?)
    ) throws(Failure) -> Publication {
        let (found, told) = try state.withLock { state throws(Failure) in
            state.limit = max(state.limit, limit)
            let now = Moment.now
            let told = note(try body(state.limit), &state, now)
            return (state.publication(at: now), told)
        }
        accept(told)
        return found
    }

    /// What was published last.
    var knownContent: Content { state.withLock(\.known.content) }

    /// The content without reading it, if that can be known; see ``KnownContent``.
    func content(ifStill fingerprint: Fingerprint?) -> Content? {
        guard let fingerprint else { return nil }
        return state.withLock { $0.known.content(ifStill: fingerprint) }
    }

    // MARK: Own changes

    /// Commits a change of our own and publishes it, in one step for everybody else in this process. Returns the number
    /// of the publication; nil if `commit` did nothing. The `writer` takes it, too, but no job is made for it.
    func publish(
        _ content: Content, by writer: (any CoreListener)?, commit: () throws(GroupFileError) -> Bool
    ) throws(GroupFileError) -> UInt64? {
        inbox.withLock { $0.publicationBegins() }
        defer { if inbox.withLock({ $0.publicationEnds() }) { judgeEventsSoon() } }
        let (number, told) = try state.withLock { state throws(GroupFileError) -> (UInt64?, [OfferedListener]) in
            defer { state.waiters.wakeAll() }
            guard try commit() else { return (nil, []) }
            state.settling = Settling()
            (state.heldBack, state.emptyLook) = (nil, nil)
            // What is written now is settled, so a listener that waits for settled content is offered it even if it is
            // not new.
            let isNews = state.known.publishOwn(content) || state.isSettledWanted
            if isNews { return (state.known.number, state.offer(at: .now, from: self, caller: writer)) }
            writer?.take(state.publication(at: .now), from: self)
            return (state.known.number, [])
        }
        accept(told)
        return number
    }

    private func judgeEventsSoon() {
        ThreadPool.shared.schedule(at: .now + Self.echoDelay) { [weak self] in
            guard let self else { return }
            if inbox.withLock({ $0.look() }) { judgeEvents() }
        }
    }

    // MARK: Under the lock

    /// A new name does not say whether its file is finished. But if the file has another name, too, nobody has only
    /// just begun to write it.
    private func isLinkOfFinishedFile() -> Bool {
        file.fingerprint().map { $0.links > 1 } ?? false
    }

    /// Calls `body` under the lock, and then lets the listeners that were offered something accept it.
    func offering(_ body: (inout CoreState) -> [OfferedListener]) {
        accept(state.withLock { state in body(&state) })
    }

    /// Listeners accept as jobs, so that nobody has to wait: decoding may take long, and calls the program's code.
    private func accept(_ told: [OfferedListener]) {
        for offered in told where offered.wantsJob {
            ThreadPool.shared.execute { offered.listener.acceptOfferAsJob() }
        }
    }
}
