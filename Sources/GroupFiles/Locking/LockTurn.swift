import FileEvents
import SystemCalls

/// The turn of a process among those that wait for a value's lock: flock(2) on `<name>.turn`.
///
/// 1. It is *taken*, after those who came before: one process waits for the lock, the others for the turn.
/// 2. It is *given back* once the lock is held, or after two seconds of waiting for the lock.
/// 3. It is *blocked* if it does not come in time: the process that has it was stopped, as by Ctrl-Z, or many are
///    waiting. Until it comes, this process waits for the lock without it.
final class LockTurn: Sendable {
    private struct State {
        /// Since when this process, having the turn, has waited for the lock.
        var since: Moment?
        var hasAlarm = false
        /// Waits for the turn on its own thread, because flock(2) may not return; or has waited for it.
        var helper: LockHelper?
    }

    /// Separate from the threads of calls, because calls wait for these.
    private static let threads = BlockingThreads { work throws(Errno) in
        try Thread.spawn(named: "group-files/trn", work)
    }

    /// How long a process that has the turn waits for the lock. If it has waited for longer, it competes for the lock
    /// with others. That happens only where the lock is held for half as long, because a holder that has not seen that
    /// others wait may take it once more.
    static let longest = Duration.seconds(2)
    /// How long a process waits for the turn.
    static let patience = longest + .milliseconds(500)

    private let file: FileLock
    /// Guards all that changes.
    private let state = Guarded(State())

    init(_ file: FileLock) {
        self.file = file
    }

    /// False if another process has it.
    func tryToTake() throws(Errno) -> Bool { try file.tryLock() }

    /// Waits for the turn, unless it is blocked, then for the lock.
    func wait(for lock: FileLock) throws(Errno) {
        let hasTurn = try takeInTime()
        defer { if hasTurn { giveBack() } }
        if hasTurn {
            begin()
        } else {
            // Meanwhile the mark may have been removed, and without the turn nothing else shows that somebody waits.
            try lock.descriptor.truncate(to: LockTurns.markedSize)
        }
        try lock.lock()
    }

    /// False if it is blocked.
    private func takeInTime() throws(Errno) -> Bool {
        if isBlocked { return false }
        if try tryToTake() { return true }
        let helper: LockHelper
        do throws(Errno) {
            helper = try LockHelper(for: file, on: Self.threads.run) { [file] () throws(Errno) in try file.lock() }
        } catch {
            // There is no thread for the helper, so this one waits.
            try file.lock()
            return true
        }
        state.withLock { $0.helper = helper }
        return try helper.wait(timeout: Self.patience)
    }

    func giveBack() {
        state.withLock { $0.since = nil }
        file.unlock()
    }

    /// Who has it, as far as that can be told: the first of the waiters.
    var holder: LockHolder? { file.holder() }

    var isBlocked: Bool { state.withLock(\.helper)?.isAbandoned ?? false }

    /// Arranges for `end` to be called when the turn is no longer blocked; false if it is not blocked.
    func callWhenFree(_ end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock(\.helper)?.callWhenEnded(end) ?? false
    }

    private func begin() {
        let now = Moment.now
        let isFirst = state.withLock { state in
            state.since = now
            return !exchange(&state.hasAlarm, with: true)
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
