import SystemCalls

/// What a ``FileObserver`` found at its last look.
struct LastLook {
    /// Nil if there was no file.
    private(set) var file: FileStatus?
    /// From this moment on, finding the same file means that it has not changed; before, two changes may have been made
    /// within one tick of the file system's clock. Nil once that has been settled.
    private var doubtEnds: Moment?
    /// The directory that the path led to last.
    private var directory: FileIdentity?
    /// Looks of several threads may overlap: the number that was given out last, and that of the last look that was
    /// noted.
    private var begun: UInt64 = 0
    private var noted: UInt64 = 0

    /// Returns the number of a look that begins now. Called before anything is looked at.
    mutating func begin() -> UInt64 {
        begun += 1
        return begun
    }

    /// False if the result of this look must not be noted: a look that began later has been noted, and this result may
    /// be older than that one's, or newer, if this look was slow.
    mutating func accept(_ look: UInt64) -> Bool {
        if look < noted { return false }
        noted = look
        return true
    }

    /// Returns what had been found before.
    mutating func note(_ found: FileStatus?) -> FileStatus? {
        if found != file { doubtEnds = found.flatMap { $0.fingerprint.provesContent ? nil : .now + .seconds(2) } }
        return exchange(&file, with: found)
    }

    /// Whether the path leads to another directory than it did.
    mutating func note(_ target: PathTarget?) -> Bool {
        guard let target else { return false }
        defer { directory = target.identity }
        return directory != nil && directory != target.identity
    }

    /// Forgets the directory. False if none was known, or another one than `wanted`.
    mutating func forgetDirectory(_ wanted: FileIdentity?) -> Bool {
        guard let directory, wanted == nil || wanted == directory else { return false }
        self.directory = nil
        return true
    }

    /// True once for each file that was found shortly after a change: a change since then may have gone unseen.
    mutating func endDoubt() -> Bool {
        guard let end = doubtEnds, end <= .now else { return false }
        doubtEnds = nil
        return true
    }
}
