import SystemCalls

/// A value's lock, and the turn among the tasks of its object, both held for an update whose body has yet to begin in
/// the isolation of its task.
final class LockClaim: Sendable {
    private struct State {
        var holdsLock = true
        /// Until it is released.
        var turn: CallQueue.Turn?
    }

    /// How long an urgent claim may be pending, after this many claims of the same update were revoked. An actor that
    /// is not blocked is mostly reached within the first period, and one that is always busy within a later one.
    private static func patience(_ revocations: Int) -> Duration { .milliseconds(5 << min(revocations, 10)) }

    /// The same if it is not known to be urgent. Everybody waits for it, in other processes, too, so it has a bound; an
    /// update whose actor needs longer than that has to find the lock free once it is there.
    private static func longestPatience(_ revocations: Int) -> Duration { .milliseconds(100 << min(revocations, 6)) }

    private let lock: any StoredFileLock
    /// When the claim is revoked: if that is urgent, as ``LockClaims`` says, and in any case.
    let ends: (ifUrgent: Moment, inAnyCase: Moment)
    /// Guards all that changes.
    private let state: Guarded<State>

    init(
        _ lock: any StoredFileLock, _ turn: CallQueue.Turn, ifUrgent patience: Duration, inAnyCase longest: Duration
    ) {
        self.lock = lock
        state = Guarded(State(turn: turn))
        let now = Moment.now
        ends = (now + patience, now + longest)
    }

    convenience init(_ lock: any StoredFileLock, _ turn: CallQueue.Turn, afterRevocations count: Int = 0) {
        self.init(lock, turn, ifUrgent: Self.patience(count), inAnyCase: Self.longestPatience(count))
    }

    /// To be called before the claim is revoked, and before its body can learn that: from here on later tasks of its
    /// actor let it go first.
    func noteRevoked() { state.withLock(\.turn)?.noteReturning() }

    /// Whether no earlier task of the actor and the object wants its turn back.
    var isFirst: Bool { state.withLock(\.turn)?.isFirst ?? true }

    /// The first call releases the lock and the turn; later ones have no effect.
    func release() {
        releaseLock()
        state.withLock { $0.turn.take() }?.release()
    }

    private func releaseLock() {
        if state.withLock({ exchange(&$0.holdsLock, with: false) }) { lock.release() }
    }
}
