import SystemCalls

/// Decides when a file that somebody writes in place may be read, by its events and by the age of the last one. Pure.
///
/// A file that was closed, or renamed into place, is finished: read now. One that was modified is being written, and
/// one that was deleted or renamed away is about to be created again: wait for the next event, or until none has come
/// for 50 ms.
struct Settling: Sendable {
    enum Verdict: Sendable {
        case nothing, readNow, wait
        /// A new name: the file is finished if it was linked there, and just begun if it was created.
        case look
    }

    /// What the events since the file was read call for.
    private(set) var verdict = Verdict.nothing
    /// When something last happened to the file, as far as is known.
    private var lastChange: Moment?
    /// Whether the last event since the file was read says that its name is new, or gone. Then the time of that event
    /// counts, and not that of the read, because a missing file has no age.
    private var isNameTold = false
    /// Whether the file was found, at the end of a settle time, to have changed within it, and was left alone; and no
    /// event has come since.
    private var hasLeftAlone = false

    /// Whether the last event of the content says that its writer is done.
    private(set) var isDoneTold = false
    /// Since when all that writers had finished has been held back, because the next one may have begun; nil once a
    /// read was not held back.
    private var uncertainSince: Moment?
    /// Whether events have shown that somebody wrote in place since content was last held back.
    private(set) var wasModified = false

    /// Something happened, and the file has not been read since.
    var isPending: Bool {
        switch verdict {
        case .nothing, .readNow: false
        case .wait, .look: true
        }
    }

    /// Whether events tell that somebody is writing the file in place.
    func isBeingWritten(at now: Moment) -> Bool { isPending && !isNameTold && !isSettled(at: now) }

    mutating func note(_ mask: InotifyMask, at now: Moment, isReadable: Bool) {
        if mask.contains(.modify) { wasModified = true }
        if mask.isDisjoint(with: .contentChanged) {
            // Attributes do not affect the content, unless they are the reason why it could not be read. If somebody is
            // writing the file, it is read when that is done.
            if !isReadable, !isPending { verdict = .readNow }
            return
        }
        lastChange = now
        hasLeftAlone = false
        isNameTold = !mask.isDisjoint(with: .namesChanged)
        isDoneTold = !mask.isDisjoint(with: .finished)
        if isDoneTold {
            verdict = .readNow
        } else if mask.contains(.create) {
            verdict = .look
        } else if mask.contains(.movedFrom), case .readNow = verdict {
            // The other half of an exchange: the new file is in place.
            isDoneTold = true
        } else {
            verdict = .wait
        }
    }

    /// Notes that the file was read, which began at a moment and has ended `by` another one, any time later. A change
    /// that no event reported is as old as the file's times say; or, if a writer `mayHaveBegun` just now, as old as the
    /// end of this read.
    mutating func noteRead(
        _ fingerprint: Fingerprint?, isNew: Bool, mayHaveBegun: Bool, begunAt began: Moment, by end: Moment
    ) {
        if case .readNow = verdict { verdict = .nothing }
        uncertainSince = nil
        if mayHaveBegun {
            lastChange = end
        } else if let change = fingerprint?.moment {
            // Even if the content is not new: that it is the same does not mean that nobody is writing the file.
            if isRecent(change, at: began) { noteChange(change) }
        } else if isNew, !isNameTold {
            lastChange = end
        }
        isNameTold = false
    }

    /// Whether what was found after the settle time is from a writer that has just begun, and whose events are still to
    /// come: it changed just now, or `isJustEmptied`. Not true twice in a row without an event in between, so that a
    /// file that changes without events is not waited for again and again.
    mutating func leavesAlone(
        _ fingerprint: Fingerprint?, isJustEmptied: Bool, begunAt began: Moment, by end: Moment
    ) -> Bool {
        guard !hasLeftAlone, let change = isJustEmptied ? end : fingerprint?.moment, isRecent(change, at: began) else {
            hasLeftAlone = false
            return false
        }
        hasLeftAlone = true
        verdict = .wait
        noteChange(change)
        return true
    }

    /// Whether the settle time after the change was not yet over at `now`, when the read began. By the time of this
    /// call any time may have passed, on a busy machine.
    private func isRecent(_ change: Moment, at now: Moment) -> Bool {
        change.advanced(byNanoseconds: SettleTime.nanoseconds) > now
    }

    private mutating func noteChange(_ moment: Moment) {
        lastChange = max(lastChange ?? moment, moment)
    }

    /// Whether to hold back what was read: its writer is done, but the events that are waiting may say that the next
    /// one has begun, and then half of that one's value may have been read. False once this has been so for a second:
    /// even where somebody writes all the time, values are reported now and then.
    mutating func holdsBack(at now: Moment) -> Bool {
        let since = uncertainSince ?? now
        guard now < since + .seconds(1) else { return false }
        uncertainSince = since
        verdict = .nothing
        wasModified = false
        return true
    }

    /// Until now events may not have been delivered: what the last one said may be about an earlier writer.
    mutating func mayHaveMissed() {
        isDoneTold = false
    }

    /// The file is empty although its writer has closed it: the next writer may have just truncated it, and will go on.
    mutating func waitForMore(at now: Moment) {
        verdict = .wait
        lastChange = now
    }

    mutating func stopWaiting() {
        verdict = .nothing
    }

    func isSettled(at now: Moment) -> Bool {
        end.map { $0 <= now } ?? true
    }

    func remaining(at now: Moment) -> Duration? {
        guard let end, end > now else { return nil }
        return end - now
    }

    private var end: Moment? { lastChange?.advanced(byNanoseconds: SettleTime.nanoseconds) }
}

extension Fingerprint {
    /// When the file says that it changed; nil where it does not say.
    fileprivate var moment: Moment? { age.map { Moment.now.advanced(byNanoseconds: -$0) } }
}
