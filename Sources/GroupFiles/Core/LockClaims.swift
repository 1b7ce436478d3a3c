import FileEvents
import SystemCalls

/// A value's lock, held for an update whose body has yet to begin, in the isolation of its task.
final class LockClaim: Sendable {
    fileprivate let lock: any StoredFileLock
    fileprivate let patienceEnds: Moment
    private let isReleased = Guarded(false)

    fileprivate init(_ lock: any StoredFileLock, patience: Duration) {
        self.lock = lock
        patienceEnds = .now + patience
    }

    /// The first call releases the lock; later ones have no effect.
    func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { lock.release() }
    }
}

/// Keeps a process from deadlocking itself: an update holds the lock, and its body needs the very thread, or actor,
/// that is blocked until the lock is free.
///
/// 1. A claim is *added* once the lock is held, and pending until the body *begins*.
/// 2. Callers that *wait* for the lock, and block their thread, are counted.
/// 3. If there are any, a claim that is pending for too long is *revoked*: its lock is released, and its update starts
///    over.
final class LockClaims: Sendable {
    private struct State {
        var waiterCount = 0
        var pending: LockClaim?
        /// Whether an alarm is set to look at the pending one.
        var hasAlarm = false
    }

    /// How long a claim may be pending, after so many of the same update were revoked: an actor that is not blocked is
    /// mostly reached within the first time, and one that is always busy within a later one.
    static func patience(afterRevocations count: Int) -> Duration { .milliseconds(5 << min(count, 5)) }

    private let state = Guarded(State())

    /// To be called by the holder of the lock.
    func add(_ lock: any StoredFileLock, patience: Duration) -> LockClaim {
        let claim = LockClaim(lock, patience: patience)
        state.withLock { state in
            state.pending = claim
            state.hasAlarm = false
        }
        look()
        return claim
    }

    /// False if it was revoked: then somebody else may hold the lock.
    func begin(_ claim: LockClaim) -> Bool {
        state.withLock { state in
            guard state.pending === claim else { return false }
            state.pending = nil
            return true
        }
    }

    /// For a wait for the lock that blocks its thread.
    func whileWaiting<R, Failure: Error>(_ wait: () throws(Failure) -> R) throws(Failure) -> R {
        state.withLock { $0.waiterCount += 1 }
        defer { state.withLock { $0.waiterCount -= 1 } }
        look()
        return try wait()
    }

    /// Revokes a claim that has been pending for too long, or sets an alarm to look at it then.
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
