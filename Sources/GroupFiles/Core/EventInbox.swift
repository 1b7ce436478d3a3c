import SystemCalls

/// Events of one file that nobody has judged yet.
///
/// While a change of our own is being published its echo comes back already: the kernel reports the exchange before the
/// call returns. The reader of events must not wait for the publication then: a thread that waits for a lock spins first,
/// on a processor that others may want. Nor need it look at once, because most likely there is nothing but the echo.
struct EventInbox {
    /// A publication may hang in the kernel for any time.
    private static let most = 1024

    private var masks: [InotifyMask] = []
    private var publications = 0
    private var isLookDue = false

    /// Takes one in. True where it is to be judged now; false while an own change is being published.
    mutating func receive(_ mask: InotifyMask) -> Bool {
        masks.append(mask)
        // Whatever it was, it is to be read, unless the last ones say that somebody is at it.
        if masks.count > Self.most { masks = [.closeWrite] + masks.suffix(Self.most / 16) }
        return publications == 0
    }

    /// What is to be judged now, in order.
    mutating func takeAll() -> [InotifyMask] {
        defer { masks = [] }
        return masks
    }

    mutating func publicationBegins() {
        publications += 1
    }

    /// True where somebody has to look into what came meanwhile, soon.
    mutating func publicationEnds() -> Bool {
        publications -= 1
        if publications > 0 || masks.isEmpty || isLookDue { return false }
        isLookDue = true
        return true
    }

    /// Called by whoever has to look. False during another publication: at its end somebody looks again.
    mutating func look() -> Bool {
        isLookDue = false
        return publications == 0
    }
}
