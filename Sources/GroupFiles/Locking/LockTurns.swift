import SystemCalls

/// How a lock is waited for.
///
/// 1. It is *tried*. Where another holds it, who waits *marks* its file by the size, and waits in turn.
/// 2. Who cannot wait for ever has a *helper* wait.
///
/// The kernel wakes all who wait for a lock, and whoever has just released it would mostly win it again. So who finds the
/// mark takes `<name>.turn` first, and frees it once the lock is held: one waits for the lock, the others for the turn. A
/// turn lasts a moment, in which the lock may be taken again and again. The mark goes when a turn was to be had at once,
/// and nobody else has held the lock for a second: that others wait may be hard to see, because who was woken up is still
/// on his way.
struct LockTurns: ~Copyable, Sendable {
    /// Not private: Swift 6.3 makes a broken module where another file stores a type that stores a private one.
    struct State {
        /// The file of turns, once it was needed.
        var file: FileLock?
        /// A helper that waits for the lock, whoever set it to that.
        var helper: LockHelper?
        /// Others have waited: turns are taken.
        var isMarked = false
        /// The turn was to be had at once, and the lock with it: nobody waits.
        var isCalm = false
        /// Until then the lock may be taken again without another turn.
        var turnEnds: Moment?
    }

    /// As long as this, the file tells that somebody has waited.
    private static let markedSize = 1024
    /// Nanoseconds. To hand the lock over takes longer than a change: who makes many makes some of them in each turn. With
    /// longer turns eight processes make few more, and who has one change to make waits for all of theirs.
    private static let turnLasts: Int64 = 1_000_000
    private static let calm: Int64 = 1_000_000_000

    private let lock: FileLock
    /// Of the value.
    private let name: String
    private let control: Directory
    private let sharing: Sharing
    /// Whom it is shared with.
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

    /// Waits for the lock; false where `timeout` ran out, or the `call` was cancelled.
    func acquire(timeout: Duration?, call: BlockingCall?) throws(Errno) -> Bool {
        let needsTurn = state.withLock { state in
            state.isCalm = false
            return state.isMarked && state.turnEnds.map { $0 < .now } ?? true
        }
        let isBounded = timeout != nil || call != nil
        if isBounded, let helper = state.withLock(\.helper), helper.resume() {
            return try wait(for: helper, timeout, call)
        }
        if !needsTurn, try lock.tryLock() { return true }
        let turn = try open()
        if try turn.tryLock(), try lock.tryLock() {
            turn.unlock()
            begin(isCalm: true)
            return true
        }
        // Whoever comes after this waits behind us. It is no harm if the mark goes just now: then we wait a little longer.
        try lock.descriptor.truncate(to: Self.markedSize)
        if isBounded {
            turn.unlock()
            let helper = try LockHelper(turn, lock)
            state.withLock { $0.helper = helper }
            return try wait(for: helper, timeout, call)
        }
        try turn.lock()
        try lock.lock()
        turn.unlock()
        begin(isCalm: false)
        return true
    }

    private func open() throws(Errno) -> FileLock {
        if let file = state.withLock(\.file) { return file }
        let file = try FileLock.open(ControlName.turn(ofValue: name), in: control, sharing, group: group)
        state.withLock { $0.file = file }
        return file
    }

    private func begin(isCalm: Bool) {
        state.withLock { state in
            state.isCalm = isCalm
            state.turnEnds = .now.advanced(byNanoseconds: Self.turnLasts)
        }
    }

    /// False where the time ran out, or the task was cancelled: then the helper goes on waiting, for who comes next.
    private func wait(for helper: LockHelper, _ timeout: Duration?, _ call: BlockingCall?) throws(Errno) -> Bool {
        let isLocked: Bool
        if let call {
            isLocked = try call.waitForLock(interrupt: helper.interrupt) { () throws(Errno) in
                try helper.wait(timeout: timeout)
            }
        } else {
            isLocked = try helper.wait(timeout: timeout)
        }
        if isLocked {
            state.withLock { $0.helper = nil }
            begin(isCalm: false)
        }
        return isLocked
    }

    /// Whether a helper waits for it still. Its `end` is called when it has ended with nobody waiting for it.
    func isAwaited(end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock(\.helper)?.isWaiting(end: end) ?? false
    }

    /// Whose turn it is, as far as that can be told: the first of those who wait.
    var holder: LockHolder? { state.withLock(\.file)?.holder() }

    // MARK: The mark

    /// Whether turns are taken from now on.
    var isMarked: Bool { state.withLock(\.isMarked) }

    /// The lock is held, and its file looks like this: whether the mark is to go.
    func findsMarkOutdated(_ status: Fingerprint) -> Bool {
        state.withLock { state in
            let isMarked = status.size >= Self.markedSize
            // Whoever else wrote, or waited, has changed it.
            let isOutdated = isMarked && state.isCalm && status.age.map { $0 > Self.calm } ?? false
            state.isMarked = isMarked && !isOutdated
            return isOutdated
        }
    }
}
