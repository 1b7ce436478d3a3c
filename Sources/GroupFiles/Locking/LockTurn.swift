import FileEvents
import SystemCalls

/// The turn of a process among those that wait for a value's lock: flock(2) on `<name>.turn`.
///
/// 1. It is *taken*, after those who came before: one process waits for the lock, the others for the turn.
/// 2. It is *given back* once the lock is held, or when the lock was waited for for two seconds: a process that is
///    stopped after that, as by Ctrl-Z, keeps nobody waiting.
final class LockTurn: Sendable {
    private struct State {
        /// Since when the lock is waited for.
        var since: Moment?
        var hasAlarm = false
    }

    /// How long the lock is waited for in turn. Those who have waited for longer compete for it, which happens only where
    /// it is held for half as long: a holder that has not seen that others wait may take it once more.
    static let longest = Duration.seconds(2)

    private let file: FileLock
    private let state = Guarded(State())

    init(_ file: FileLock) {
        self.file = file
    }

    /// False if another process has it.
    func tryToTake() throws(Errno) -> Bool { try file.tryLock() }

    /// Waits for the turn, then for the lock.
    func wait(for lock: FileLock) throws(Errno) {
        defer { giveBack() }
        try file.lock()
        begin()
        try lock.lock()
    }

    func giveBack() {
        state.withLock { $0.since = nil }
        file.unlock()
    }

    /// Who has it, as far as that can be told: the first of the waiters.
    var holder: LockHolder? { file.holder() }

    private func begin() {
        let now = Moment.now
        let isFirst = state.withLock { state in
            state.since = now
            defer { state.hasAlarm = true }
            return !state.hasAlarm
        }
        if isFirst { setAlarm(now + Self.longest) }
    }

    private func setAlarm(_ moment: Moment) {
        ThreadPool.shared.schedule(at: moment) { [weak self] in self?.alarmRang() }
    }

    private func alarmRang() {
        let next = state.withLock { state -> Moment? in
            if let since = state.since {
                let end = since + Self.longest
                if .now < end { return end }
                state.since = nil
                // Under the mutex: afterwards the waiter may have taken it anew.
                file.unlock()
            }
            state.hasAlarm = false
            return nil
        }
        if let next { setAlarm(next) }
    }
}
