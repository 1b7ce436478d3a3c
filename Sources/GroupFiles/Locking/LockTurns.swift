import SystemCalls

/// How callers wait for a lock.
///
/// 1. The lock is *tried*. A caller that finds it held *marks* its file by the size, and waits its turn.
/// 2. A caller that does not wait for ever has a *helper* wait.
/// 3. The mark is *removed* once nobody else has waited, or written, for a second.
///
/// When a lock is released, the kernel wakes every waiter, and the process that released it mostly wins it back. So a
/// process that finds the mark takes `<name>.turn` first, and gives it back once it holds the lock: one process waits
/// for the lock, and the others for the turn; while the turn is blocked, all wait for the lock. A turn lasts a moment,
/// in which its process may take the lock again and again. The mark is removed if the turn was free at once, or is
/// blocked, and nobody else has changed the file for a second, by waiting or by writing. A free turn alone proves
/// little, because a waiter that was woken may not have run yet.
struct LockTurns: ~Copyable, Sendable {
    /// Not private: Swift 6.3 makes a broken module if another file stores a type that stores a private one.
    struct State {
        /// Made when it is first needed.
        var turn: LockTurn?
        /// A helper that waits for the lock, whichever caller started it.
        var helper: LockHelper?
        /// Whether others have waited, so that turns are taken.
        var isMarked = false
        /// Whether the turn was free at once, or is blocked, and the lock was free: then nobody waits.
        var isCalm = false
        /// Until then the lock may be taken again without another turn.
        var turnEnds: Moment?
    }

    /// A file of at least this size is marked: somebody has waited.
    static let markedSize = 1024
    /// Nanoseconds. Handing the lock over takes longer than a change, so a process that makes many changes makes
    /// several in each turn. With longer turns, eight processes make only a few more changes, and a process that has a
    /// single change to make waits for all of theirs.
    private static let turnLasts: Int64 = 1_000_000
    /// Nanoseconds for which nobody else may have changed the file before the mark is removed.
    private static let calm: Int64 = 1_000_000_000
    /// Long enough for a waiter to be woken, and to get time on a busy processor; and nothing compared to the time for
    /// which the lock was held.
    private static let headStart = (steps: 5, of: Duration.milliseconds(5))
    /// Nanoseconds, a quarter of ``LockTurn/longest``: once a lock was held for this long, others may wait without a
    /// turn.
    static let longHold: Int64 = 500_000_000

    private let lock: FileLock
    /// The value's name.
    private let name: String
    private let control: Directory
    private let sharing: Sharing
    /// The group that it is shared with.
    private let group: UInt32
    /// One thread at a time uses a lock; this makes it visible to the next.
    private let state = Guarded(State())

    init(for lock: FileLock, of name: String, in control: Directory, sharing: Sharing, group: UInt32) {
        self.lock = lock
        self.name = name
        self.control = control
        self.sharing = sharing
        self.group = group
    }

    /// Waits for the lock, if that is asked for; false if the time ran out, or the call was cancelled.
    func acquire(_ request: LockRequest) throws(Errno) -> Bool {
        let needsTurn = state.withLock { state in
            state.isCalm = false
            return state.isMarked && state.turnEnds.map { $0 < .now } ?? true
        }
        if request.isBounded, let helper = state.withLock(\.helper), helper.resume() {
            return try wait(for: helper, request)
        }
        if !needsTurn, try lock.tryLock() { return true }
        let turn = try turn()
        let isBlocked = turn.isBlocked
        if isBlocked { try letOthersFirst(request) }
        // While a thread waits for the turn, nobody may take it through the same descriptor.
        let hasTurn = isBlocked ? false : try turn.tryToTake()
        if hasTurn || isBlocked, try lock.tryLock() {
            if hasTurn { turn.giveBack() }
            begin(isCalm: true)
            return true
        }
        // Because of the mark, callers that come later wait behind us. If it is removed at this moment, we just wait a
        // little longer.
        try lock.descriptor.truncate(to: Self.markedSize)
        if request.isBounded {
            if hasTurn { turn.giveBack() }
            let helper = try LockHelper(for: lock) { [lock] () throws(Errno) in try turn.wait(for: lock) }
            state.withLock { $0.helper = helper }
            return try wait(for: helper, request)
        }
        try turn.wait(for: lock)
        begin(isCalm: false)
        return true
    }

    private func turn() throws(Errno) -> LockTurn {
        if let turn = state.withLock(\.turn) { return turn }
        let file = try FileLock.open(ControlName.turn(ofValue: name), in: control, sharing, group: group)
        let turn = LockTurn(file)
        state.withLock { $0.turn = turn }
        return turn
    }

    /// For a caller that has just held the lock and wants it again, while others may wait without a turn: lets them go
    /// first, if the time that is left for its own wait allows that.
    func letOthersFirst(_ request: LockRequest) throws(Errno) {
        if try !Self.isMark(lock.descriptor.status().size) { return }
        let (steps, step) = Self.headStart
        if let remaining = request.remaining, remaining < step * steps { return }
        for _ in 0..<steps where !request.isCancelled {
            var nothing: [Poll.Entry] = []
            _ = try Poll.wait(&nothing, until: .now + step)
            if try lock.isTaken() { return }
        }
    }

    private func begin(isCalm: Bool) {
        state.withLock { state in
            state.isCalm = isCalm
            state.turnEnds = .now.advanced(byNanoseconds: Self.turnLasts)
        }
    }

    /// False if the time ran out, or the task was cancelled: then the helper goes on waiting, for the next caller.
    private func wait(for helper: LockHelper, _ request: LockRequest) throws(Errno) -> Bool {
        let isLocked: Bool
        if let call = request.call {
            isLocked = try call.waitForLock(interrupt: helper.interrupt) { () throws(Errno) in
                try helper.wait(timeout: request.remaining)
            }
        } else {
            isLocked = try helper.wait(timeout: request.remaining)
        }
        if isLocked {
            state.withLock { $0.helper = nil }
            begin(isCalm: false)
        }
        return isLocked
    }

    /// Arranges for `end` to be called when the helper that still waits for the lock has ended with no caller waiting.
    /// False if no helper waits.
    func callWhenHelperHasEnded(_ end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock(\.helper)?.callWhenEnded(end) ?? false
    }

    /// The same for the thread that waits for a blocked turn.
    func callWhenTurnIsFree(_ end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock(\.turn)?.callWhenFree(end) ?? false
    }

    var isTurnBlocked: Bool { state.withLock(\.turn)?.isBlocked ?? false }

    /// Who has the turn, as far as that can be told: the first of the waiters, and the next holder.
    var turnHolder: LockHolder? { state.withLock(\.turn)?.holder }

    // MARK: The mark

    /// Whether a file of this size is marked.
    static func isMark(_ size: Int) -> Bool { size >= markedSize }

    /// Whether turns are taken from now on.
    var isMarked: Bool { state.withLock(\.isMarked) }

    /// Notes how the lock's file looks while the lock is held. True if the mark is outdated, and has to be removed.
    func noteLook(_ status: Fingerprint) -> Bool {
        state.withLock { state in
            let isMarked = Self.isMark(status.size)
            // Anybody else who wrote, or waited, has changed the file.
            let isOutdated = isMarked && state.isCalm && status.age.map { $0 > Self.calm } ?? false
            state.isMarked = isMarked && !isOutdated
            return isOutdated
        }
    }
}
