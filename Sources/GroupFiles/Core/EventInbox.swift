import SystemCalls

/// Events of one file that nobody has judged yet.
///
/// While this process publishes a change of its own, the echo of that change already arrives: the kernel reports the
/// exchange before the call returns. The thread that reads events must not wait for the publication then, because a
/// thread that waits for a lock spins first, on a processor that others may want. Nor do the events have to be judged
/// at once: most likely they are only the echo.
struct EventInbox {
    /// Bounded, because a publication may hang in the kernel for any time.
    private static let most = 1024

    private var masks: [InotifyMask] = []
    /// The highest number of a received event that reports new content. Events up to this number may come again, since
    /// each store that watches the directory reports them; they are dropped, because the file is read after this event
    /// anyway. An event of another kind does not always cause a read, so the numbers of those do not count.
    private var lastNumber: UInt64 = 0
    private var publications = 0
    private var isLookDue = false

    /// Takes in an event, unless it was taken in before. `number` is its place in the order in which events are read,
    /// or 0 for none. True if it should be judged now; false while a change of our own is being published.
    mutating func receive(_ mask: InotifyMask, _ number: UInt64) -> Bool {
        if number != 0, number <= lastNumber { return false }
        if !mask.isDisjoint(with: .contentChanged) { lastNumber = max(lastNumber, number) }
        masks.append(mask)
        // Whatever happened, the file has to be read, unless the last events say that somebody is writing it.
        if masks.count > Self.most { masks = [.closeWrite] + masks.suffix(Self.most / 16) }
        return publications == 0
    }

    /// What is to be judged now, in order.
    mutating func takeAll() -> [InotifyMask] { exchange(&masks, with: []) }

    mutating func publicationBegins() {
        publications += 1
    }

    /// True if the caller has to schedule a look at the events that came meanwhile.
    mutating func publicationEnds() -> Bool {
        publications -= 1
        if publications > 0 || masks.isEmpty || isLookDue { return false }
        isLookDue = true
        return true
    }

    /// To be called at that look. False during another publication, whose end schedules another look.
    mutating func look() -> Bool {
        isLookDue = false
        return publications == 0
    }
}
