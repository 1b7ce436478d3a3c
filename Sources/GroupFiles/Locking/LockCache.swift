import FileEvents
import SystemCalls

/// Locks that nobody uses at the moment, kept open for the next change of their values. There are few in the whole
/// process, because descriptors are scarce; so they are found by comparing names, which is cheaper than a hash.
///
/// 1. A lock is *kept* after it was unlocked. If there are too many, the oldest is closed; or the new one, if the
///    oldest was kept only just now.
/// 2. It is *taken* by the next change of its value.
/// 3. Those that nobody took for 50 ms are *closed*; all of them, if the process has run out of descriptors.
final class LockCache: Sendable {
    private struct Kept {
        let directory: ObjectIdentifier
        let lock: ValueLock
        let since: Moment
    }

    private struct State {
        /// The oldest one first. Those of one directory share the directories that they have pinned.
        var kept: [Kept] = []
        var hasAlarm = false
        /// Cancels the alarm.
        var alarm: DeadlineQueue.Token?
    }

    /// How long a lock is kept: no longer, because while a directory is pinned, its removal is not reported, and its
    /// file system cannot be unmounted.
    private static let time = Duration.milliseconds(50)
    private static let most = 8
    /// Values that are changed one after the other, again and again, come back within this time: if the oldest lock
    /// were closed for the newest, each would be closed before its value comes back.
    private static let turn = Duration.milliseconds(5)

    static let shared = LockCache()

    /// Nothing is called under it, and locks that are taken out are closed after it is released.
    private let state = Guarded(State())
    /// Held while several locks are taken out and closed, so that a caller that finds none left to close can rely on
    /// their being closed. The guarded value has no meaning.
    private let closing = Guarded(false)

    private init() {
        SpareDescriptors.register { [weak self] in self?.closeAll() }
    }

    /// The lock of a value, if it was kept.
    func take(_ name: String, of directory: ObjectIdentifier) -> ValueLock? {
        state.withLock { state in
            for index in state.kept.indices where state.kept[index].directory == directory {
                if ExactName(state.kept[index].lock.name) == ExactName(name) {
                    return state.kept.remove(at: index).lock
                }
            }
            return nil
        }
    }

    func keep(_ lock: ValueLock, of directory: ObjectIdentifier) {
        let (_, isFirst) = state.withLock { state -> (closed: ValueLock?, isFirst: Bool) in
            for other in state.kept where other.directory == directory {
                if other.lock.control !== lock.control || ExactName(other.lock.name) == ExactName(lock.name) {
                    return (lock, false)
                }
            }
            let now = Moment.now
            var oldest: ValueLock?
            if state.kept.count == Self.most {
                if now < state.kept[0].since + Self.turn { return (lock, false) }
                oldest = state.kept.removeFirst().lock
            }
            state.kept.append(Kept(directory: directory, lock: lock, since: now))
            return (oldest, !exchange(&state.hasAlarm, with: true))
        }
        if isFirst { setAlarm(.now + Self.time) }
    }

    func close(of directory: ObjectIdentifier) {
        let alarm = closing.withLock { _ in
            state.withLock { state -> (closed: [Kept], alarm: DeadlineQueue.Token?) in
                let closed = state.kept.filter { $0.directory == directory }
                if closed.isEmpty { return ([], nil) }
                state.kept.removeAll { $0.directory == directory }
                if !state.kept.isEmpty { return (closed, nil) }
                state.hasAlarm = false
                return (closed, state.alarm.take())
            }.alarm
        }
        // With nothing left to wait for, neither a thread nor the alarm's descriptor has to stay.
        if let alarm { ThreadPool.shared.cancel(alarm) }
    }

    private func closeAll() {
        closing.withLock { _ in _ = state.withLock { exchange(&$0.kept, with: []) } }
    }

    private func setAlarm(_ moment: Moment) {
        let alarm = ThreadPool.shared.schedule(at: moment) { [self] in alarmRang() }
        state.withLock { $0.alarm = alarm }
    }

    private func alarmRang() {
        let next = closing.withLock { _ in
            state.withLock { state -> (closed: [Kept], next: Moment?) in
                let now = Moment.now
                let old = state.kept.prefix { $0.since + Self.time <= now }
                state.kept.removeFirst(old.count)
                state.hasAlarm = !state.kept.isEmpty
                return (Array(old), state.kept.first.map { $0.since + Self.time })
            }.next
        }
        if let next { setAlarm(next) }
    }
}
