import FileEvents
import SystemCalls

/// Reading, which is done under the lock.
extension FileCore {
    /// Reads, whatever events say, and offers what is new.
    func readNow(
        _ state: inout CoreState, _ now: Moment, _ occasion: ReadOccasion = .wanted, caller: (any CoreListener)? = nil
    ) -> [OfferedListener] {
        note(file.read(limit: state.limit), &state, now, occasion, caller: caller)
    }

    /// Reads what a writer has finished. Before that, the next writer may have begun to write the file in place; if so,
    /// the events that are waiting say so. But a file that was truncated shows that it is empty before its event comes.
    func readFinished(_ state: inout CoreState, _ now: Moment) -> [OfferedListener] {
        if state.heldBack != nil { return [] }
        let read = file.read(limit: state.limit)
        var mayHaveBegun = read.fingerprint?.wasWrittenLast ?? false
        // In the middle of a truncation, the times of the file's content and of its status differ for a moment.
        if !mayHaveBegun, read.content.isEmpty { mayHaveBegun = file.fingerprint() != read.fingerprint }
        guard mayHaveBegun, state.known.isNews(read.content), read.content.isEmpty || file.hasWaitingEvents,
            state.settling.holdsBack(at: now)
        else { return note(read, &state, now) }
        if read.content.isEmpty {
            state.emptyLook = read.fingerprint
            state.settling.waitForMore(at: .now)
            setAlarm(&state)
            return []
        }
        let number = state.holdBack(read)
        EventBarrier.whenPassed { [weak self] in self?.noteHeldBack(number) }
        return []
    }

    private func noteHeldBack(_ number: Int) {
        judgeEvents()
        offering { state in
            guard let held = state.takeHeldBack(number) else { return [] }
            switch state.settling.verdict {
            case .nothing: return note(held, &state, .now)
            // What was replaced by another file, as events say, is whole: nobody has written into it. If it were not told,
            // nothing would be while a writer replaces the file again and again.
            case .readNow where !state.settling.wasModified:
                return note(held, &state, .now) + readFinished(&state, .now)
            case .readNow: return readFinished(&state, .now)
            case .wait, .look: return []
            }
        }
    }

    /// Offers what was read, if it is new; see ``CoreState/noteRead(_:_:latest:begunAt:_:)``.
    func note(
        _ read: (content: Content, fingerprint: Fingerprint?), _ state: inout CoreState, _ now: Moment,
        _ occasion: ReadOccasion = .wanted, caller: (any CoreListener)? = nil
    ) -> [OfferedListener] {
        let (content, fingerprint) = read
        state.heldBack = nil
        if content.isTransient { retryLater(&state) }
        // A writer may have begun after the file was looked at, and before it was read.
        var latest = fingerprint
        if occasion != .wanted, let look = file.fingerprint(), look.changed > latest?.changed ?? .min { latest = look }
        switch state.noteRead(content, fingerprint, latest: latest, begunAt: now, occasion) {
        case .news: return state.offer(at: now, from: self, caller: caller)
        case .known: break
        case .leftAlone: setAlarm(&state)
        }
        return []
    }

    /// Nothing reports when a descriptor or memory is available again, or when a lease is given back.
    private func retryLater(_ state: inout CoreState) {
        if state.hasRetry { return }
        state.hasRetry = true
        ThreadPool.shared.schedule(at: .now + Errno.exhaustionPause) { [weak self] in self?.retry() }
    }

    private func retry() {
        offering { state in
            state.hasRetry = false
            return readNow(&state, .now)
        }
    }
}
