import SystemCalls

/// A thread that waits for a lock on behalf of callers that do not wait for ever. Polling would wait longer, and
/// interrupting flock(2) would take a signal.
///
///     waiting ──lock──▶ locked              the caller that waits has the lock
///      │    ▲
///      │    └─ resume                       the next caller that waits for the lock needs no other thread
///      ▼ time out, cancel
///     abandoned ──lock──▶ ended             it releases the lock at once
final class LockHelper: Sendable {
    private enum Phase {
        case waiting, locked, abandoned, ended
        case failed(Errno)
    }

    private struct State {
        var phase = Phase.waiting
        /// Counts the callers that have waited through it, one after the other.
        var wait = 0
        var end: (@Sendable () -> Void)?
    }

    /// Guards all that changes.
    private let state = Guarded(State())
    /// Signalled when a wait ends: with the lock, or because the helper is abandoned.
    private let hasEnded = Semaphore()

    /// Begins to wait for the lock, as `acquire` does, on a thread that `start` provides.
    init(
        for lock: FileLock,
        on start: (@escaping @Sendable () -> Void) throws(Errno) -> Void = { work throws(Errno) in
            try Thread.spawn(named: "group-files/lck", work)
        }, acquire: @escaping @Sendable () throws(Errno) -> Void
    ) throws(Errno) {
        try start { [self] in
            var outcome = Phase.locked
            do throws(Errno) {
                try acquire()
            } catch {
                outcome = .failed(error)
            }
            finish(outcome, lock)
        }
    }

    private func finish(_ outcome: Phase, _ lock: FileLock) {
        let end = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .abandoned = state.phase else {
                state.phase = outcome
                return nil
            }
            // Released before anybody can see that there is no helper any more, and lock through the same descriptor.
            lock.unlock()
            state.phase = .ended
            return state.end.take()
        }
        hasEnded.signal()
        end?()
    }

    /// True once the lock is held; false if the time ran out, or the helper was abandoned: then the helper goes on
    /// alone.
    func wait(timeout: Duration?) throws(Errno) -> Bool {
        let end = Moment.after(timeout)
        while true {
            let isLate = !hasEnded.wait(until: end)
            let phase = state.withLock { state in
                if isLate, case .waiting = state.phase { state.phase = .abandoned }
                return state.phase
            }
            switch phase {
            case .waiting: continue  // The signal was for an earlier wait.
            case .locked: return true
            case .failed(let error): throw error
            case .abandoned, .ended: return false
            }
        }
    }

    /// A closure that ends the wait of the caller that waits now, and abandons the helper. If it is called late, when
    /// another caller waits, it has no effect.
    var interrupt: @Sendable () -> Void {
        let wait = state.withLock(\.wait)
        return { [self] in abandon(wait) }
    }

    private func abandon(_ wait: Int) {
        let wasWaiting = state.withLock { state in
            guard case .waiting = state.phase, state.wait == wait else { return false }
            state.phase = .abandoned
            return true
        }
        if wasWaiting { hasEnded.signal() }
    }

    /// Makes an abandoned helper wait for this caller; false if it has ended.
    func resume() -> Bool {
        state.withLock { state in
            guard case .abandoned = state.phase else { return false }
            state.phase = .waiting
            state.wait += 1
            state.end = nil
            return true
        }
    }

    /// Whether it goes on waiting, though no caller waits through it.
    var isAbandoned: Bool {
        state.withLock { if case .abandoned = $0.phase { true } else { false } }
    }

    /// Arranges for `end` to be called once the helper has ended, unless it is resumed before. False if it is not
    /// abandoned, or has ended.
    func callWhenEnded(_ end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard case .abandoned = state.phase else { return false }
            state.end = end
            return true
        }
    }
}
