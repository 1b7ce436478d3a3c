import FileEvents
import SystemCalls

/// Waiting for a writer that is at work on the file: threads block, and listeners are offered again what they could not
/// accept yet.
extension FileCore {
    // MARK: Threads

    /// Returns once events no longer say that somebody is writing the file in place, or at `end`.
    func waitForWriter(until end: Moment) {
        wait(until: end) { state, now in state.isBeingWritten(at: now) }
    }

    /// Whether events say that somebody is writing the file in place.
    var isBeingWritten: Bool { state.withLock { $0.isBeingWritten(at: .now) } }

    /// Returns once something newer than `number` was read and nothing has happened to the file since, once the content
    /// counts as settled, or at `end`.
    func waitForNews(since number: UInt64, until end: Moment) {
        wait(until: end) { state, now in
            !state.settling.isSettled(at: now) && (state.settling.isPending || state.known.number == number)
        }
    }

    /// Whether the writer of the publication `number` is done, as events or the file's age say. If neither says so yet,
    /// this waits until that may have changed, or until `end`.
    func isDone(_ number: UInt64, until end: Moment) -> Bool {
        // The events that have been judged so far may be older than the content.
        let passed = Semaphore()
        EventBarrier.whenPassed { [self] in
            judgeEvents()
            passed.signal()
        }
        // Not for ever: all threads of the pool may be waiting for a lock that the caller holds.
        guard passed.wait(until: min(.now + SettleTime.duration, end)) else { return false }
        // A change shows before its event comes, but by now the file's times show it, too. Not so the truncation of a
        // file: that it is empty shows some milliseconds before that, on ext4.
        guard let look = file.fingerprint() else { return false }
        let isOld = look.size > 0 && !look.isRecent
        wait(until: end) { state, now in
            state.isStill(number, look) && !isOld && !state.isDoneTold && !state.settling.isSettled(at: now)
        }
        return state.withLock { state in
            state.isStill(number, look) && !state.settling.isPending && (isOld || state.isDoneTold)
        }
    }

    /// Blocks the thread, and uses no job of the pool, whose threads may all be waiting for a lock that the caller
    /// holds.
    private func wait(until end: Moment, while isWanted: (borrowing CoreState, Moment) -> Bool) {
        let waiter = Semaphore()
        while let moment = state.withLock({ $0.nextLook(of: waiter, until: end, while: isWanted) }) {
            _ = waiter.wait(until: moment)
        }
    }

    // MARK: Listeners

    /// For a listener that cannot accept the content before its writer is certainly done: offers it again at that time.
    func offerOnceSettled(_ number: UInt64) {
        offering { state in
            guard number == state.known.number else { return [] }
            if state.settling.isSettled(at: Moment.now) { return state.offer(at: .now, from: self) }
            state.isSettledWanted = true
            setAlarm(&state)
            return []
        }
    }

    /// Like ``offerOnceSettled(_:)``, for a listener that read the content some time ago. However much time has passed,
    /// only the event queue knows whether anything has happened since.
    func offerOnceQuiet(_ number: UInt64) {
        state.withLock { state in
            guard number == state.known.number else { return }
            state.isSettledWanted = true
            setAlarm(&state)
        }
    }

    /// Sets the alarm for the end of the settle time, unless it is set already.
    func setAlarm(_ state: inout CoreState) {
        if state.hasAlarm { return }
        state.hasAlarm = true
        let remaining = state.settling.remaining(at: .now) ?? .zero
        ThreadPool.shared.schedule(at: .now + remaining) { [weak self] in
            guard let self else { return }
            // Even if no event was received until now, only the queue knows whether none has happened. After that, any
            // time may pass, in which more happens.
            let now = Moment.now
            EventBarrier.whenPassed { self.alarmRang(at: now) }
        }
    }

    private func alarmRang(at now: Moment) {
        judgeEvents()
        offering { state in
            defer { state.waiters.wakeAll() }
            state.hasAlarm = false
            if state.settling.remaining(at: now) != nil {
                if state.settling.isPending || state.isSettledWanted { setAlarm(&state) }
                return []
            }
            let (isAwaited, wasWanted) = (state.settling.isPending, state.isSettledWanted)
            // The file was read when its writer closed it; whatever happens next is reported.
            if !isAwaited, !wasWanted { return [] }
            state.settling.stopWaiting()
            let told = readNow(&state, now, isAwaited ? .settled : .looked)
            if told.isEmpty, wasWanted, !state.settling.isPending { return state.offer(at: now, from: self) }
            return told
        }
        file.checkPlace()
    }
}
