import SystemCalls

/// Where one value is stored: the seam below the cores. A file in a directory is one, a place in memory another.
///
/// `read`, `fingerprint`, `hasWaitingEvents`, `nameIsGone`, `mayHaveChanged` and the commits are called under the
/// core's lock, too, so they must not wait for anybody.
protocol StoredFile: AnyObject, Sendable {
    /// For errors, and for the program.
    var path: String { get }

    /// What is there now, if it is no longer than `limit` bytes, and a fingerprint that shows whether it changes later.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?)
    /// The file's removal was reported: watch for its re-creation.
    func nameIsGone()
    /// The file may have changed, whatever its times say: somebody has written it, or closed it after storing through a
    /// mapping, or events were lost.
    func mayHaveChanged()
    /// The file was read after its name was removed: check that the path still leads to the same directory. Called
    /// outside of locks.
    func checkPlace()
    /// Whether events may be waiting to be delivered: they may say that somebody has begun to write the file.
    var hasWaitingEvents: Bool { get }
    /// Looks at the file once, without reading it; nil if there is none, or if it cannot be looked at.
    func fingerprint() -> Fingerprint?

    /// Acquires the value's lock, once no other writer, of this process or another, holds it. What a killed writer left
    /// is thrown away if it `isWorthless`, and kept for its user otherwise.
    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock
}

extension StoredFile {
    func nameIsGone() {}
    func mayHaveChanged() {}
    func checkPlace() {}
    var hasWaitingEvents: Bool { false }
    /// A file that is not there, or whose changes are all reported, need not be looked at.
    func fingerprint() -> Fingerprint? { nil }

    /// What is there now, in the directory that is locked.
    func read(
        through lock: any StoredFileLock, limit: Int
    ) -> (content: Content, fingerprint: Fingerprint?) {
        let found = lock.read(limit: limit)
        if found.content != .missing { return found }
        // Watch first, then look again.
        nameIsGone()
        return lock.read(limit: limit)
    }
}
