import Dispatch
import SystemCalls

/// A thread that waits for a lock on behalf of those who will not wait for ever: to try again and again would wait longer,
/// and to interrupt flock(2) would take a signal.
///
///     waiting ──lock──▶ locked          whoever waits has the lock
///      │    ▲
///  time out │ resume                    the next one who waits for the same lock needs no other thread
///      ▼    │
///     abandoned ──lock──▶ ended         it lets go of the lock at once
final class LockHelper: Sendable {
    private enum Phase {
        case waiting, locked, abandoned, ended
        case failed(Errno)
    }

    private struct State {
        var phase = Phase.waiting
        var end: (@Sendable () -> Void)?
    }

    private let state = Guarded(State())
    private let hasLocked = DispatchSemaphore(value: 0)

    /// Begins to wait: for the turn, then for the lock.
    init(_ turn: FileLock, _ lock: FileLock) throws(Errno) {
        try Thread.spawn(named: "group-files/lck") { [self] in
            var outcome = Phase.locked
            do throws(Errno) {
                try turn.lock()
                try lock.lock()
            } catch {
                outcome = .failed(error)
            }
            turn.unlock()
            finish(outcome, lock)
        }
    }

    private func finish(_ outcome: Phase, _ lock: FileLock) {
        let end = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .abandoned = state.phase else {
                state.phase = outcome
                return nil
            }
            // Let go before anybody can think that there is no helper any more: he would lock by the same descriptor.
            lock.unlock()
            state.phase = .ended
            return state.end.take()
        }
        hasLocked.signal()
        end?()
    }

    /// True once the lock is held; false where the time ran out, and the helper is left alone.
    func wait(timeout: Duration) throws(Errno) -> Bool {
        let (seconds, attoseconds) = timeout.components
        let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let limit = nanoseconds.overflow ? Int.max : Int(nanoseconds.partialValue) + Int(attoseconds / 1_000_000_000)
        _ = hasLocked.wait(timeout: limit == Int.max ? .distantFuture : .now() + .nanoseconds(limit))
        let phase = state.withLock { state in
            if case .waiting = state.phase { state.phase = .abandoned }
            return state.phase
        }
        switch phase {
        case .locked: return true
        case .failed(let error): throw error
        case .waiting, .abandoned, .ended: return false
        }
    }

    /// Has one that was left alone wait for the caller; false where it has ended.
    func resume() -> Bool {
        state.withLock { state in
            guard case .abandoned = state.phase else { return false }
            state.phase = .waiting
            state.end = nil
            return true
        }
    }

    /// Whether it is left alone and has not ended. Then `end` is called once it has, unless it is resumed before.
    func isWaiting(end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard case .abandoned = state.phase else { return false }
            state.end = end
            return true
        }
    }
}
