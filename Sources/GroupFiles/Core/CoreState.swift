import SystemCalls

/// What a ``FileCore`` knows of its file, and whom it offers that: decides what a read means.
struct CoreState: Sendable {
    /// What was read.
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
    /// What was read once its writer was done, while more events were waiting: kept back until these are delivered,
    /// because they may tell that the next writer has begun.
    var heldBack: (content: Content, fingerprint: Fingerprint?)?
    /// How often something was held back.
    private var timesHeldBack = 0
    /// Whether what was read last seems to have been written into the file itself, and not beside it: its times say so,
    /// or it is empty, which shows before its times change.
    var isInPlace = false
    /// Whether another read is scheduled.
    var hasRetry = false
    var listeners = WeakListeners()
    /// Threads that wait for a writer.
    var waiters = Waiters()
    /// In bytes: the most that a listener, or a caller, takes.
    var limit = 0

    func publication(at now: Moment) -> Publication {
        let isSettled = known.content.isNoFile || settling.isSettled(at: now)
        return Publication(
            number: known.number, content: known.content, isSettled: isSettled,
            mayBeHalf: isInPlace && !isSettled && known.content.isBytes, isOwn: known.isOwn)
    }

    /// The file was read at `now`, and the `latest` look at it was after that; what is new is published. Unless it is
    /// wanted at once, a file that changed within the settle time is left alone, because its writer has just begun.
    mutating func noteRead(
        _ content: Content, _ fingerprint: Fingerprint?, latest: Fingerprint?, at now: Moment, _ occasion: ReadOccasion
    ) -> Finding {
        let isNew = known.isNews(content)
        if occasion != .wanted, isNew, settling.leavesAlone(latest, at: now) { return .leftAlone }
        // Unless the settle time of an event is over, somebody may have begun to write unnoticed: a file is seen to be
        // shorter before its times change, and before its event comes.
        let mayHaveBegun = content.isBytes && (occasion == .looked || occasion == .wanted && content.isEmpty)
        settling.noteRead(fingerprint, isNew: isNew, mayHaveBegun: mayHaveBegun, at: now)
        isInPlace = fingerprint.map { $0.wasWrittenLast || content.isEmpty } ?? false
        known.noteSeen(fingerprint, with: content)
        if !isNew { return .known }
        known.publish(content)
        return .news
    }

    /// Whether events tell that the writer of what was found is done. The event of a truncation may come some hundred
    /// microseconds after the file is seen to be empty.
    var isDoneTold: Bool { settling.isDoneTold && !known.content.isEmpty }

    /// Returns a number by which it is taken once the events that are waiting now are delivered.
    mutating func holdBack(_ read: (content: Content, fingerprint: Fingerprint?)) -> Int {
        heldBack = read
        timesHeldBack += 1
        return timesHeldBack
    }

    /// What was held back under that number; nil if something newer was read, or held back, since.
    mutating func takeHeldBack(_ number: Int) -> (content: Content, fingerprint: Fingerprint?)? {
        number == timesHeldBack ? heldBack.take() : nil
    }

    /// Whether nothing newer than `number` was found, in a file that looks like this.
    func isStill(_ number: UInt64, _ look: Fingerprint) -> Bool {
        heldBack == nil && known.number == number && known.wasSeen(look)
    }

    /// When a thread that waits is to look again, unless it is woken before; nil if it need not wait.
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

    /// Offers what is known. The `caller` is offered it, too, but goes on by itself.
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
