import SystemCalls

/// When a file that somebody writes in place may be read: what events say, and how long ago the last one was. Pure.
///
/// A file that was closed, or renamed into place, is finished: read now. One that was modified is being written, one that
/// was deleted or renamed away is about to be made again: wait for what comes, or for 50 ms in which nothing comes.
struct Settling: Sendable {
    enum Verdict: Sendable {
        case nothing, readNow, wait
        /// Made just now: finished if it was linked there, begun if it was created.
        case look
    }

    private(set) var verdict = Verdict.nothing
    /// When something happened to the file last, as far as is known.
    private var lastChange: Moment?
    /// Whether what was told last, and not read since, is that the name is new, or gone: of what has no age that says since
    /// when it is as it is found.
    private var isNameTold = false
    /// What was found when nothing had come for so long was younger than that, and was left alone; nothing came since.
    private var hasLeftAlone = false

    /// Something happened and was not read yet.
    var isPending: Bool {
        switch verdict {
        case .nothing, .readNow: false
        case .wait, .look: true
        }
    }

    mutating func note(_ mask: InotifyMask, at now: Moment, isReadable: Bool) {
        if mask.isDisjoint(with: .contentChanged) {
            // Attributes: nothing to the content, unless they are why it could not be read. One who is at it may be in the
            // middle of it: it is read when he is done.
            if !isReadable, !isPending { verdict = .readNow }
            return
        }
        lastChange = now
        hasLeftAlone = false
        isNameTold = !mask.isDisjoint(with: .namesChanged)
        if !mask.isDisjoint(with: .finished) {
            verdict = .readNow
        } else if mask.contains(.create) {
            verdict = .look
        } else if mask.contains(.movedFrom), case .readNow = verdict {
            // The other half of an exchange: what came into place is there.
        } else {
            verdict = .wait
        }
    }

    /// The file was read. A change that nobody told of is as old as the file says; or, where it `mayHaveBegun` just now,
    /// as old as it was found.
    mutating func noteRead(_ fingerprint: Fingerprint?, isNew: Bool, mayHaveBegun: Bool = false, at now: Moment) {
        if case .readNow = verdict { verdict = .nothing }
        if isNew, mayHaveBegun {
            lastChange = now
        } else if let change = fingerprint?.moment {
            // Also where nothing is new: that what is there is as it was does not mean that nobody is at it.
            if isRecent(change, at: now) { noteChange(change) }
        } else if isNew, !isNameTold {
            lastChange = now
        }
        isNameTold = false
    }

    /// Whether what was found after the settle time is a writer's who has just begun: its events are still to come.
    /// Once at most: what changes without events is not waited for again and again.
    mutating func leavesAlone(_ fingerprint: Fingerprint?, at now: Moment) -> Bool {
        guard !hasLeftAlone, let change = fingerprint?.moment, isRecent(change, at: now) else {
            hasLeftAlone = false
            return false
        }
        hasLeftAlone = true
        verdict = .wait
        noteChange(change)
        return true
    }

    /// Whether the settle time after the change was not over `now`, which is when the reading began: on a busy machine that
    /// may have taken any time since.
    private func isRecent(_ change: Moment, at now: Moment) -> Bool {
        change.advanced(byNanoseconds: SettleTime.nanoseconds) > now
    }

    private mutating func noteChange(_ moment: Moment) {
        lastChange = max(lastChange ?? moment, moment)
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
