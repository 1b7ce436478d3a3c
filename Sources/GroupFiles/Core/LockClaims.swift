import FileEvents
import SystemCalls

/// A value's lock, held for an update whose body has yet to begin, where its task wants it to run.
final class LockClaim: Sendable {
    fileprivate let lock: any StoredFileLock
    fileprivate let patienceEnds: Moment
    private let isReleased = Guarded(false)

    fileprivate init(_ lock: any StoredFileLock, patience: Duration) {
        self.lock = lock
        patienceEnds = .now + patience
    }

    /// Once; what comes after that is too late.
    func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { lock.release() }
    }
}

/// Keeps a process from waiting for itself: for an update that has the lock, and whose body wants the very thread, or actor,
/// that is blocked until the lock is free.
///
/// 1. A claim is *added* once the lock is held, and pending until the body *begins*.
/// 2. Who *waits* with a thread that is blocked is counted.
/// 3. Where somebody waits, a claim that is pending for too long is *revoked*: its lock is released, and its update begins
///    anew.
final class LockClaims: Sendable {
    private struct State {
        var waiterCount = 0
        var pending: LockClaim?
        /// Whether the pending one will be looked at.
        var hasAlarm = false
    }

    /// How often a claim of one update was revoked, as time for the next: an actor that is not blocked is reached within the
    /// first, mostly, and one that is always busy within a later one.
    static func patience(afterRevocations count: Int) -> Duration { .milliseconds(5 << min(count, 5)) }

    private let state = Guarded(State())

    /// To be called by who has the lock.
    func add(_ lock: any StoredFileLock, patience: Duration) -> LockClaim {
        let claim = LockClaim(lock, patience: patience)
        state.withLock { state in
            state.pending = claim
            state.hasAlarm = false
        }
        look()
        return claim
    }

    /// False where it was revoked: then somebody else may have the lock.
    func begin(_ claim: LockClaim) -> Bool {
        state.withLock { state in
            guard state.pending === claim else { return false }
            state.pending = nil
            return true
        }
    }

    /// Around a wait for the lock that blocks its thread.
    func whileWaiting<R, Failure: Error>(_ wait: () throws(Failure) -> R) throws(Failure) -> R {
        state.withLock { $0.waiterCount += 1 }
        defer { state.withLock { $0.waiterCount -= 1 } }
        look()
        return try wait()
    }

    /// Revokes what is pending for too long, or sees to it that it is looked at then.
    private func look() {
        let now = Moment.now
        let (revoked, alarm) = state.withLock { state -> (LockClaim?, Moment?) in
            guard let pending = state.pending, state.waiterCount > 0, !state.hasAlarm else { return (nil, nil) }
            if pending.patienceEnds <= now {
                state.pending = nil
                return (pending, nil)
            }
            state.hasAlarm = true
            return (nil, pending.patienceEnds)
        }
        revoked?.release()
        guard let alarm else { return }
        ThreadPool.shared.schedule(at: alarm) { [self] in
            state.withLock { $0.hasAlarm = false }
            look()
        }
    }
}
