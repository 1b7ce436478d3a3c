import FileEvents
import SystemCalls

/// Keeps programs from deadlocking themselves and each other. An update holds the lock, but the thread or actor on
/// which its body has to run may be blocked, and by something that cannot end before the update does: a wait for this
/// lock; a wait for another value's lock, whose holder waits for this one, maybe in another process; or a wait for the
/// turn of another task of the object. Whatever else may block the thread or actor, others who want the lock should not
/// have to wait for that.
///
/// 1. A claim is *added* once the lock is held, and pending until the body *begins*.
/// 2. Callers that *wait* for the lock, and block their thread, are counted.
/// 3. A claim that is pending for too long is *revoked*, sooner if there are such callers, or while the body of another
///    one that was revoked has not been reached: its lock and its turn are released. Once its body could begin, its
///    update starts over, with its old place among the tasks; or takes both again at once, if that has happened before
///    and they are free.
final class LockClaims: Sendable {
    private struct State {
        var waiterCount = 0
        var pending: LockClaim?
        var alarm: Alarm?
        /// How many claims were revoked whose bodies have not been reached since.
        var revokedCount = 0

        /// Whether the pending claim is to end soon. After a revoked claim it is, too, because its body is often to run
        /// on the same actor, which is still blocked: many updates would otherwise hold the lock in vain for as long as
        /// the first, one after the other.
        var isUrgent: Bool { waiterCount > 0 || revokedCount > 0 }

        /// Its lock is still to be released.
        mutating func revokePending() -> LockClaim? {
            guard let revoked = pending.take() else { return nil }
            revoked.noteRevoked()
            revokedCount += 1
            return revoked
        }
    }

    /// What the body of a claim may do once it is where it runs.
    enum Beginning {
        case now
        /// An earlier task, whose claim was revoked, waits for its turn again.
        case afterAnEarlierTask
        /// Somebody else may hold the lock by now.
        case revoked
    }

    /// When to look at the pending claim.
    private struct Alarm {
        let moment: Moment
        let token: DeadlineQueue.Token
    }

    /// Guards all that changes.
    private let state = Guarded(State())

    /// Whether there is a claim whose body has not begun.
    var hasPending: Bool { state.withLock { $0.pending != nil } }
    /// Whether callers wait for the lock, and block their threads.
    var hasWaiters: Bool { state.withLock { $0.waiterCount > 0 } }

    /// To be called by the holder of the lock.
    func add(_ claim: LockClaim) {
        let lost = state.withLock { state in
            defer { state.pending = claim }
            return state.revokePending()
        }
        // The lock file of the earlier claim was removed; otherwise its lock would have kept us from getting ours.
        lost?.release()
        look()
    }

    /// To be called once for each claim, where the body runs: only there is it certain that nothing blocks the body.
    func begin(_ claim: LockClaim) -> Beginning {
        let (isOurs, alarm) = state.withLock { state -> (Bool, Alarm?) in
            guard state.pending === claim else {
                state.revokedCount -= 1
                return (false, nil)
            }
            state.pending = nil
            return (true, state.alarm.take())
        }
        if let alarm { ThreadPool.shared.cancel(alarm.token) }
        if !isOurs { return .revoked }
        return claim.isFirst ? .now : .afterAnEarlierTask
    }

    /// Runs `wait`, which waits for the lock and blocks its thread.
    func whileWaiting<R, Failure: Error>(_ wait: () throws(Failure) -> R) throws(Failure) -> R {
        let hasPending = state.withLock { state in
            state.waiterCount += 1
            return state.pending != nil
        }
        defer { state.withLock { $0.waiterCount -= 1 } }
        if hasPending { look() }
        return try wait()
    }

    /// Revokes a claim that has been pending for too long, or sets an alarm to look at it then. Where nothing can be
    /// done at a given time, for want of a thread, nobody might ever revoke it, so that is done at once.
    private func look() {
        let now = Moment.now
        let (revoked, alarms) = state.withLock { state -> (LockClaim?, [Alarm]) in
            guard let pending = state.pending else { return (nil, []) }
            let end = state.isUrgent ? pending.ends.ifUrgent : pending.ends.inAnyCase
            var alarms: [Alarm] = []
            if end > now {
                if let alarm = state.alarm, now < alarm.moment, alarm.moment <= end { return (nil, []) }
                if let old = state.alarm { alarms.append(old) }
                // The pool's lock is taken within this one; nothing is called under the pool's lock.
                state.alarm = Alarm(moment: end, token: ThreadPool.shared.schedule(at: end) { [self] in look() })
                if !ThreadPool.shared.lacksSupervisor { return (nil, alarms) }
            }
            if let alarm = state.alarm.take() { alarms.append(alarm) }
            return (state.revokePending(), alarms)
        }
        for alarm in alarms { ThreadPool.shared.cancel(alarm.token) }
        revoked?.release()
    }
}
