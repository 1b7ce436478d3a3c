import SystemCalls

/// What a ``FileCore`` knows of its file, and the listeners to which it offers that. Decides what a read means.
struct CoreState: Sendable {
    /// What a read has found.
    enum Finding {
        case news
        /// The content that was known.
        case known
        /// Its writer has just begun: it is read again later.
        case leftAlone
    }

    var known = KnownContent()
    var settling = Settling()
    /// Whether a listener waits for the content to be settled.
    var isSettledWanted = false
    var hasAlarm = false
    /// Content that was read once its writer was done, while more events were waiting. It is held back until these are
    /// delivered, because they may say that the next writer has begun.
    var heldBack: (content: Content, fingerprint: Fingerprint?)?
    /// How often something was held back.
    private var timesHeldBack = 0
    /// Whether the content that was read last seems to have been written in place, and not into another file that was
    /// then renamed: the file's times say so, or the file is empty, which shows before its times change.
    var isInPlace = false
    /// How the file looked when it was last found empty; nil if it was found with content since, or was written by us.
    var emptyLook: Fingerprint?
    /// Whether another read is scheduled.
    var hasRetry = false
    var listeners = WeakListeners()
    /// Threads that wait for a writer.
    var waiters = Waiters()
    /// The size in bytes of the longest content that any listener or caller takes.
    var limit = 0

    /// What is known, as a read that began at `now` found it: the read may have taken any time, and however long that
    /// was, it does not make what was read any more settled.
    func publication(at now: Moment) -> Publication {
        let isSettled = known.content.isNoFile || settling.isSettled(at: now)
        return Publication(
            number: known.number, content: known.content, isSettled: isSettled,
            mayBeHalf: isInPlace && !isSettled && known.content.isBytes, isOwn: known.isOwn)
    }

    /// Notes that the file was read, from `began` on and until now, and publishes the content if it is new. `latest` is
    /// the newest look at the file, which may be later than the read. Unless the content is wanted at once, new content
    /// of a file that changed within the settle time, or is empty all of a sudden, is left alone, because its writer has
    /// just begun.
    mutating func noteRead(
        _ content: Content, _ fingerprint: Fingerprint?, latest: Fingerprint?, begunAt began: Moment,
        _ occasion: ReadOccasion
    ) -> Finding {
        let (end, isNew) = (Moment.now, known.isNews(content))
        // A file shows that it is empty before its times change, and before its event comes. One that was found empty
        // before, and has changed since, may have had content in between. Not so once the settle time after an event is
        // over, or where we wrote that it is empty.
        let isJustEmptied =
            content.isEmpty && emptyLook != fingerprint && (emptyLook != nil || isNew && occasion != .settled)
        emptyLook = content.isEmpty ? fingerprint : nil
        if occasion != .wanted, isNew,
            settling.leavesAlone(latest, isJustEmptied: isJustEmptied, begunAt: began, by: end)
        {
            return .leftAlone
        }
        // Somebody may have begun to write unnoticed.
        let mayHaveBegun = isJustEmptied || occasion == .looked && isNew && content.isBytes
        settling.noteRead(fingerprint, isNew: isNew, mayHaveBegun: mayHaveBegun, begunAt: began, by: end)
        isInPlace = fingerprint.map { $0.wasWrittenLast || content.isEmpty } ?? false
        known.noteSeen(fingerprint, with: content)
        if !isNew { return .known }
        known.publish(content)
        return .news
    }

    func isBeingWritten(at now: Moment) -> Bool { !known.content.isNoFile && settling.isBeingWritten(at: now) }

    /// Whether events say that the writer of the known content is done. An empty file is never taken to be done: the
    /// event of a truncation may come some milliseconds after the file shows that it is empty.
    var isDoneTold: Bool { settling.isDoneTold && !known.content.isEmpty }

    /// Returns the number by which to take this content once the events that are waiting now are delivered.
    mutating func holdBack(_ read: (content: Content, fingerprint: Fingerprint?)) -> Int {
        heldBack = read
        timesHeldBack += 1
        return timesHeldBack
    }

    /// What was held back under that number; nil if something newer was read, or held back, since.
    mutating func takeHeldBack(_ number: Int) -> (content: Content, fingerprint: Fingerprint?)? {
        number == timesHeldBack ? heldBack.take() : nil
    }

    /// Whether the publication with this `number` is still the newest, nothing is held back, and the file looked like
    /// this when it was last read.
    func isStill(_ number: UInt64, _ look: Fingerprint) -> Bool {
        heldBack == nil && known.number == number && known.wasSeen(look)
    }

    /// When a waiting thread has to look again, unless it is woken before; nil if it need not wait any longer.
    mutating func nextLook(
        of waiter: Semaphore, until end: Moment, while isWanted: (borrowing CoreState, Moment) -> Bool
    ) -> Moment? {
        let now = Moment.now
        guard now < end, isWanted(self, now) else {
            waiters.remove(waiter)
            return nil
        }
        waiters.insert(waiter)
        return settling.remaining(at: now).map { min(now + $0, end) } ?? end
    }

    /// Offers what is known to all listeners. The `caller` takes it, too, but needs no job.
    mutating func offer(at now: Moment, from core: FileCore, caller: (any CoreListener)? = nil) -> [OfferedListener] {
        isSettledWanted = false
        waiters.wakeAll()
        let publication = publication(at: now)
        caller?.take(publication, from: core)
        return listeners.map { listener in
            OfferedListener(
                listener: listener, wantsJob: listener !== caller && listener.offer(publication, from: core))
        }
    }
}
