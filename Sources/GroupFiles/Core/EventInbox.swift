import SystemCalls

/// Events of one file that nobody has judged yet.
///
/// While a change of our own is being published, its echo comes back already: the kernel reports the exchange before
/// the call returns. The thread that reads events must not wait for the publication then: a thread that waits for a
/// lock spins first, on a processor that others may want. Nor need the events be judged at once, because most likely
/// they are only the echo.
struct EventInbox {
    /// Bounded, because a publication may hang in the kernel for any time.
    private static let most = 1024

    private var masks: [InotifyMask] = []
    /// The highest number of an event that was taken in and tells of new content. Earlier ones may come again, since each
    /// store that watches the directory reports them; they are dropped, because the file is read after this one anyway.
    /// After an event of another kind it is not read, so the numbers of those do not count.
    private var lastNumber: UInt64 = 0
    private var publications = 0
    private var isLookDue = false

    /// Takes one in, unless it was already: `number` is its place in the order of reading, or 0. True if it is to be
    /// judged now; false while a change of our own is being published.
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

    /// True if the caller has to arrange a look at what came meanwhile.
    mutating func publicationEnds() -> Bool {
        publications -= 1
        if publications > 0 || masks.isEmpty || isLookDue { return false }
        isLookDue = true
        return true
    }

    /// To be called at that look. False during another publication, whose end arranges another look.
    mutating func look() -> Bool {
        isLookDue = false
        return publications == 0
    }
}
