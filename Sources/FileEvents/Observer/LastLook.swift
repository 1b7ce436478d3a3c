import SystemCalls

/// What a ``FileObserver`` found when it looked last.
struct LastLook {
    /// Nil where there was no file.
    private(set) var file: FileStatus?
    /// If it is found the same from this moment on, that may be believed: until then two changes may have been within
    /// one tick of the file system's clock. Nil where that has been believed.
    private var doubtEnds: Moment?
    /// The directory that the path led to last.
    private var directory: FileIdentity?
    /// Looks of several threads overlap: which number was given last, and which of them was noted.
    private var begun: UInt64 = 0
    private var noted: UInt64 = 0

    /// The number of a look that begins now: before anything is looked at.
    mutating func begin() -> UInt64 {
        begun += 1
        return begun
    }

    /// False where what this look found is not to be noted: that of one that began later was, and this may be older. Or
    /// newer, where this one was slow to begin with.
    mutating func accept(_ look: UInt64) -> Bool {
        if look < noted { return false }
        noted = look
        return true
    }

    /// Returns what had been found before.
    mutating func note(_ found: FileStatus?) -> FileStatus? {
        defer { file = found }
        if found != file { doubtEnds = found.flatMap { $0.fingerprint.provesContent ? nil : .now + .seconds(2) } }
        return file
    }

    /// Whether the path leads to another directory than it did.
    mutating func note(_ target: PathTarget?) -> Bool {
        guard let target else { return false }
        defer { directory = target.identity }
        return directory != nil && directory != target.identity
    }

    mutating func forgetDirectory() {
        directory = nil
    }

    /// True once for each file that was found young: what has been done to it since then may look the same.
    mutating func endDoubt() -> Bool {
        guard let end = doubtEnds, end <= .now else { return false }
        doubtEnds = nil
        return true
    }
}
