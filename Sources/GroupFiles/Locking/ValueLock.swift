import SystemCalls

/// The lock of one value: `<name>.lock` in the control directory, open.
///
/// 1. It is *tried*. Where another holds it, who waits *marks* the file by its size, and waits in turn.
/// 2. Once held it is *checked*: the path must lead to this very file, for as long as a name for it was looked up before.
/// 3. What a killed holder left is *swept*: the file names the temporary file of the last who made one.
/// 4. It is *unlocked*, and may be taken again.
///
/// Turns: the kernel wakes all who wait for a lock, and whoever has just released it would mostly win it again. So who
/// finds the mark takes `<name>.turn` first, and frees it once the lock is held: one waits for the lock, the others for
/// the turn. A turn lasts a moment, in which the lock may be taken again and again. The mark goes when a turn was to be
/// had at once, and nobody else has held the lock for a second: that others wait may be hard to see, because who was woken
/// up is still on his way.
final class ValueLock: Sendable {
    private struct State {
        var turn: FileLock?
        /// A helper that waits for it, whoever set it to that.
        var helper: LockHelper?
        /// Which temporary file it names; and how it was when that was read, where nobody has changed it since.
        var record = (name: "", status: Fingerprint?.none)
        /// Others have waited: turns are taken.
        var isMarked = false
        /// Where it was looked at last, and by which path to the container.
        var place: (container: String, path: String)?
        /// Nobody else has made a temporary file since it was ours last.
        var isUndisturbed = false
        /// The turn was to be had at once, and the lock with it: nobody waits.
        var isCalm = false
        var heldSince = Moment.now
        /// Until then it may be taken again without another turn.
        var turnEnds: Moment?
    }

    /// As long as this, the file tells that somebody has waited.
    private static let markedSize = 1024
    private static let longestName = 255
    /// Nanoseconds. To hand the lock over takes longer than a change: who makes many makes some of them in each turn.
    private static let turnLasts: Int64 = 250_000
    /// Nanoseconds. Most changes take less, and are spared a look.
    private static let isSafeFor: Int64 = 10_000_000
    private static let calm: Int64 = 1_000_000_000

    let name: String
    /// Pinned while the lock is open.
    let directory: Directory
    /// Likewise. It is entered only once: what it is exchanged for meanwhile, such as a link, leads nobody away.
    let control: Directory
    /// Of the lock itself: what its opener makes for its owner alone, in a container for a group, must lock nobody out.
    private let sharing: Sharing
    private let lock: FileLock
    private let identity: FileIdentity
    private let forkCount: UInt32
    /// One thread at a time uses a lock; this makes it visible to the next.
    private let state = Guarded(State())

    /// Opens it, and makes what is missing of it; nothing is locked yet. Without `sharing` it is as the directory is.
    init(_ name: String, in directory: Directory, control pinned: Directory?, sharing: Sharing?) throws(Errno) {
        let sharing = sharing == .group ? .group : Sharing(permissions: directory.permissions)
        self.name = name
        self.directory = directory
        self.sharing = sharing
        forkCount = CurrentProcess.forkCount
        var control = pinned
        var opened: FileLock?
        for _ in 0..<16 where opened == nil {
            let entered: Directory
            if let control {
                entered = control
            } else {
                entered = try ControlDirectory.open(in: directory, sharing: sharing)
            }
            control = entered
            try ControlDirectory.widen(entered, for: sharing)
            do throws(Errno) {
                opened = try Self.open(ControlName.lock(ofValue: name), in: entered, sharing)
            } catch .noEntry {
                control = nil  // It was removed.
            }
        }
        guard let control, let opened else { throw .noEntry }
        self.control = control
        lock = opened
        identity = try lock.descriptor.status().identity
    }

    /// Whether its file is for everybody who is to open one by this `sharing`.
    func serves(_ sharing: Sharing?) -> Bool { self.sharing == .group || sharing != .group }

    /// Whether a child that was forked since has it open, too: it would hold the lock when this process is killed, and
    /// must have no part in what was not begun when it was forked.
    var isShared: Bool { forkCount != CurrentProcess.forkCount }

    /// Whether it was held for so long that somebody may well have removed its file meanwhile, or moved the directory away,
    /// and has: then another may hold the lock, too, or the value is another one.
    var isLost: Bool {
        let (heldSince, place) = state.withLock { ($0.heldSince, $0.place?.path) }
        if heldSince.advanced(byNanoseconds: Self.isSafeFor) >= .now { return false }
        guard let place else { return !isInPlace }
        do throws(Errno) { return try Path.linkStatus(of: place).identity != identity } catch { return true }
    }

    /// Whether its file has its name still, as far as can be told.
    var isInPlace: Bool {
        do throws(Errno) {
            return try directory.status(of: "\(ControlDirectory.name)/\(ControlName.lock(ofValue: name))").identity
                == identity
        } catch {
            return false
        }
    }

    private static func open(
        _ name: String, in control: Directory, _ sharing: Sharing
    ) throws(Errno) -> FileLock {
        let file = try openFile(name, in: control, sharing)
        let status = try file.status()
        if status.kind != .regular { throw .invalid }
        // Others may have made it for more; what is missing is added where it is ours to add.
        let permissions = status.permissions | sharing.filePermissions
        if permissions != status.permissions, status.owner == CurrentProcess.effectiveUser {
            try file.setPermissions(permissions)
        }
        return FileLock(file)
    }

    /// Once more where another user is just about to open it to his group.
    private static func openFile(
        _ name: String, in control: Directory, _ sharing: Sharing
    ) throws(Errno) -> FileDescriptor {
        var making = ConcurrentCreation(until: sharing.filePermissions)
        while true {
            do throws(Errno) {
                return try control.open(
                    name, [.readWrite, .create, .nonBlocking], permissions: sharing.filePermissions)
            } catch .accessDenied {
                let mayBeOver = making.mayHaveRefused { () throws(Errno) in try control.status(of: name) }
                if !mayBeOver { throw .accessDenied }
            }
        }
    }

    // MARK: Holding

    /// Waits for the lock; false where `timeout` ran out, or the task that is `waiting` was cancelled.
    func acquire(timeout: Duration?, waiting: LockWait?) throws(Errno) -> Bool {
        guard try wait(timeout: timeout, waiting: waiting) else { return false }
        state.withLock { $0.heldSince = .now }
        return true
    }

    private func wait(timeout: Duration?, waiting: LockWait?) throws(Errno) -> Bool {
        let needsTurn = state.withLock { state in
            state.isCalm = false
            return state.isMarked && state.turnEnds.map { $0 < .now } ?? true
        }
        let isBounded = timeout != nil || waiting != nil
        if isBounded, let helper = state.withLock(\.helper), helper.resume() {
            return try wait(for: helper, timeout, waiting)
        }
        if !needsTurn, try lock.tryLock() { return true }
        let turn = try openTurn()
        if try turn.tryLock(), try lock.tryLock() {
            turn.unlock()
            beginTurn(isCalm: true)
            return true
        }
        // Whoever comes after this waits behind us. It is no harm if the mark goes just now: then we wait a little longer.
        try lock.descriptor.truncate(to: Self.markedSize)
        if isBounded {
            turn.unlock()
            let helper = try LockHelper(turn, lock)
            state.withLock { $0.helper = helper }
            return try wait(for: helper, timeout, waiting)
        }
        try turn.lock()
        try lock.lock()
        turn.unlock()
        beginTurn(isCalm: false)
        return true
    }

    private func beginTurn(isCalm: Bool) {
        state.withLock { state in
            state.isCalm = isCalm
            state.turnEnds = .now.advanced(byNanoseconds: Self.turnLasts)
        }
    }

    /// Whether the path of the container leads to this file: else somebody has removed, or exchanged, the control directory,
    /// or the container. One call. Has what a killed holder may have left swept, too.
    func isCurrent(
        in container: String, temporaryName: String, sweep: (_ left: String) throws(Errno) -> Void
    ) throws(Errno) -> Bool {
        let place = state.withLock { state in
            if let place = state.place, ExactName(place.container) == ExactName(container) { return place.path }
            let place = "\(container)/\(ControlDirectory.name)/\(ControlName.lock(ofValue: name))"
            state.place = (container, place)
            return place
        }
        let status: FileStatus
        do throws(Errno) {
            status = try Path.linkStatus(of: place)
        } catch .noEntry {
            return false
        } catch .notDirectory {
            return false
        }
        guard status.identity == identity else { return false }
        try readRecord(status, own: temporaryName, sweep)
        return true
    }

    /// Only who holds the lock has a temporary file, so that no living writer's is ever removed.
    private func readRecord(
        _ status: FileStatus, own: String, _ sweep: (_ left: String) throws(Errno) -> Void
    ) throws(Errno) {
        let isMarked = status.size >= Self.markedSize
        let (isCalm, isKnown) = state.withLock { state in
            // Whoever else wrote, or waited, has changed it.
            let isCalm = state.isCalm && status.fingerprint.age.map { $0 > Self.calm } ?? false
            state.isMarked = isMarked && !isCalm
            // A name that was retired since names nothing of ours any more.
            state.isUndisturbed =
                state.record.status == status.fingerprint && ExactName(state.record.name) == ExactName(own)
            return (isCalm, state.isUndisturbed)
        }
        if isKnown, !(isMarked && isCalm) { return }
        let start = try lock.descriptor.readStart(Self.longestName + 1)
        let end = start.firstIndex(of: UInt8(ascii: "\n"))
        // What is not UTF-8 names no temporary file of ours.
        let last = end.flatMap { String(validating: start[..<$0], as: UTF8.self) } ?? ""
        let isOwn = ExactName(last) == ExactName(own)
        state.withLock { $0.isUndisturbed = isOwn }
        state.withLock { $0.record = (isOwn ? own : last, status.fingerprint) }  // The very string is compared fastest.
        if isMarked, isCalm { try lock.descriptor.truncate(to: end.map { $0 + 1 } ?? 0) }
        if !isOwn, last.hasSuffix(ControlName.temporarySuffix), !Path.hasSlash(last) {
            try sweep(last)
            try sweep(ControlDirectory.second(last))
        }
    }

    /// Leaves our temporary file's name for the next one. Before there is such a file, and not without need: what makes none
    /// takes no room on a full disk.
    func name(temporary own: String) throws(Errno) {
        let (last, isMarked) = state.withLock { ($0.record.name, $0.isMarked) }
        if ExactName(last) == ExactName(own) { return }
        let record = Array((own + "\n").utf8)
        try lock.descriptor.writeStart(record)
        state.withLock { $0.record = (own, nil) }
        if !isMarked { try lock.descriptor.truncate(to: record.count) }
    }

    /// Whether the file named our temporary file still.
    var isUndisturbed: Bool { state.withLock(\.isUndisturbed) }

    func unlock() {
        lock.unlock()
    }

    /// Who holds it, as far as that can be told.
    var holder: LockHolder? {
        do throws(Errno) {
            return try lock.holder()
        } catch {
            return nil  // It cannot be told; the error says that somebody has it.
        }
    }

    // MARK: Waiting

    private func openTurn() throws(Errno) -> FileLock {
        if let turn = state.withLock(\.turn) { return turn }
        let turn = try Self.open(ControlName.turn(ofValue: name), in: control, sharing)
        state.withLock { $0.turn = turn }
        return turn
    }

    /// False where the time ran out, or the task was cancelled: then the helper goes on waiting, for who comes next.
    private func wait(for helper: LockHelper, _ timeout: Duration?, _ waiting: LockWait?) throws(Errno) -> Bool {
        let isLocked: Bool
        if let waiting {
            isLocked = try waiting.waitForLock(interrupt: helper.interrupt) { () throws(Errno) in
                try helper.wait(timeout: timeout)
            }
        } else {
            isLocked = try helper.wait(timeout: timeout)
        }
        if isLocked {
            state.withLock { $0.helper = nil }
            beginTurn(isCalm: false)
        }
        return isLocked
    }

    /// Whether a helper waits for it still. Its `end` is called when it has ended with nobody waiting for it.
    func isAwaited(end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock(\.helper)?.isWaiting(end: end) ?? false
    }
}
