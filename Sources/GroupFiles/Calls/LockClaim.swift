import FileEvents
import SystemCalls

/// A value's lock, and the turn among the tasks of its object, both held for an update whose body has yet to begin in
/// the isolation of its task.
final class LockClaim: Sendable {
    private struct State {
        var holdsLock = true
        /// Whether the claim was revoked, and the queue waits for its update to come back.
        var isAway = false
        var hasStartedOver = false
        /// Until it is released, or taken.
        var turn: CallQueue.Turn?
        /// Releases the turn.
        var alarm: DeadlineQueue.Token?
    }

    /// How long a claim may be pending while callers wait, after this many claims of the same update were revoked. An
    /// actor that is not blocked is mostly reached within the first period, and one that is always busy within a later
    /// one.
    private static func patience(_ revocations: Int) -> Duration { .milliseconds(5 << min(revocations, 10)) }

    /// The same if no caller is known to wait. It grows without a bound that matters, so that an update gets its turn
    /// however slow its actor is.
    private static func longestPatience(_ revocations: Int) -> Duration {
        .milliseconds(100 << min(revocations, 30))
    }

    private let lock: any StoredFileLock
    private let queue: CallQueue
    private let place: CallQueue.Place
    /// When the claim is revoked: if a thread of this process is blocked until the lock is free, and in any case.
    let ends: (forBlocked: Moment, inAnyCase: Moment)
    /// Guards all that changes.
    private let state: Guarded<State>

    init(_ lock: any StoredFileLock, _ turn: CallQueue.Turn, afterRevocations count: Int) {
        self.lock = lock
        (queue, place) = (turn.queue, turn.place)
        state = Guarded(State(turn: turn))
        let now = Moment.now
        ends = (now + Self.patience(count), now + Self.longestPatience(count))
    }

    /// Whether no earlier task of the object wants its turn back, and no earlier task of the same actor is about to.
    var isFirst: Bool {
        guard let turn = state.withLock(\.turn) else { return true }
        return turn.isFirst && turn.isFirstOfItsActor
    }

    /// The first call releases what it still holds; later ones have no effect.
    func release() {
        releaseLock()
        takeTurn()?.release()
    }

    /// Called by the update that starts over: returns the turn, unless it was released.
    func startOver() -> CallQueue.Turn? {
        state.withLock { state in
            state.hasStartedOver = true
            if state.isAway { queue.comeBack(to: place) }
        }
        return takeTurn()
    }

    private func takeTurn() -> CallQueue.Turn? {
        let (turn, alarm) = state.withLock { ($0.turn.take(), $0.alarm.take()) }
        if let alarm { ThreadPool.shared.cancel(alarm) }
        return turn
    }

    /// Releases the lock now, and the turn later.
    func revoke() {
        releaseLock()
        state.withLock { state in
            if state.hasStartedOver { return }
            state.isAway = true
            let end = queue.leaveForNow(place)
            if state.turn != nil { state.alarm = ThreadPool.shared.schedule(at: end) { [self] in releaseTurn() } }
        }
    }

    /// The turn is freed under the lock, so that an update that starts over either has it or, if nobody waits for it,
    /// finds it free.
    private func releaseTurn() {
        let freed = state.withLock { state -> (turn: CallQueue.Turn, isWanted: Bool)? in
            state.alarm = nil
            return state.turn.take().map { ($0, $0.free()) }
        }
        if let freed { freed.turn.passOn(freed.isWanted) }
    }

    private func releaseLock() {
        if state.withLock({ exchange(&$0.holdsLock, with: false) }) { lock.release() }
    }
}
