import FileEvents
import SystemCalls

/// The turn of a process among those that wait for a value's lock: flock(2) on `<name>.turn`.
///
/// 1. It is *taken*, after those who came before: one process waits for the lock, the others for the turn.
/// 2. It is *given back* once the lock is held, or after two seconds of waiting for the lock.
/// 3. It is *blocked* if that takes longer: whoever has it was stopped, as by Ctrl-Z, or there are many. Until it comes
///    this process waits for the lock without it.
final class LockTurn: Sendable {
    private struct State {
        /// Since when the lock is waited for.
        var since: Moment?
        var hasAlarm = false
        /// What the thread that waited for it has found, until it is seen.
        var taken: Result<Bool, Errno>?
        /// That thread waits still, and nobody for it.
        var isBlocked = false
        var whenFree: (@Sendable () -> Void)?
    }

    /// Apart from those of calls, which wait for these.
    private static let threads = BlockingThreads { work throws(Errno) in
        try Thread.spawn(named: "group-files/trn", work)
    }

    /// How long the lock is waited for in turn. Those who have waited for longer compete for it, which happens only where
    /// it is held for half as long: a holder that has not seen that others wait may take it once more.
    static let longest = Duration.seconds(2)
    /// How long the turn is waited for.
    static let patience = longest + .milliseconds(500)

    private let file: FileLock
    /// Guards all that changes.
    private let state = Guarded(State())
    /// Signalled when `taken` is there.
    private let hasTaken = Semaphore()

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
        do throws(Errno) {
            try Self.threads.run { [self] in take() }
        } catch {
            // There is no thread for that.
            try file.lock()
            return true
        }
        let end = Moment.now + Self.patience
        while true {
            let isLate = !hasTaken.wait(until: end)
            let taken = state.withLock { state in
                if isLate, state.taken == nil { state.isBlocked = true }
                return state.taken.take()
            }
            if let taken { return try taken.get() }
            if isLate { return false }
        }
    }

    /// On a thread of its own, because flock(2) may not return.
    private func take() {
        let taken = Result { () throws(Errno) in
            try file.lock()
            return true
        }
        let (isLate, whenFree) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if !state.isBlocked {
                state.taken = taken
                return (false, nil)
            }
            state.isBlocked = false
            // Before anybody takes it through the same descriptor.
            file.unlock()
            return (true, state.whenFree.take())
        }
        if isLate { whenFree?() } else { hasTaken.signal() }
    }

    func giveBack() {
        state.withLock { $0.since = nil }
        file.unlock()
    }

    /// Who has it, as far as that can be told: the first of the waiters.
    var holder: LockHolder? { file.holder() }

    var isBlocked: Bool { state.withLock(\.isBlocked) }

    /// Has `end` called when it is no longer blocked; false if it is not.
    func callWhenFree(_ end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.isBlocked { state.whenFree = end }
            return state.isBlocked
        }
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
