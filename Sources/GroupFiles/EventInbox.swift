import SystemCalls

/// Events of one file that nobody has judged yet.
///
/// While an own change is being published its echo comes back already: the kernel tells of the exchange before it returns.
/// Who reads events must not wait for the publication then, because who waits for a lock burns the processor that others
/// are to be woken up on; nor need he look at once, because most likely there is nothing but the echo.
struct EventInbox {
    private var masks: [InotifyMask] = []
    private var publications = 0
    private var isLookDue = false

    /// Takes these in. What is to be judged now, in order; nil where an own change is being published.
    mutating func receive(_ new: [InotifyMask]) -> [InotifyMask]? {
        if publications == 0, masks.isEmpty { return new }
        masks += new
        return publications == 0 ? takeAll() : nil
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

    /// Who has to look does so now.
    mutating func look() -> [InotifyMask] {
        isLookDue = false
        return publications == 0 ? takeAll() : []
    }
}
