import SystemCalls

/// Where one value lies: the seam below the cores. A file in a directory is one, a place in memory another.
///
/// `read`, `fingerprint`, `nameIsGone` and the commits are called under the core's lock, too: they wait for nobody.
protocol StoredFile: AnyObject, Sendable {
    /// For errors.
    var path: String { get }

    /// What is there now, if it is no longer than `limit` bytes, and what tells it from the next.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?)
    /// The file was removed, as is told: it shall be told, too, when it is made anew.
    func nameIsGone()
    /// It was read after its name was gone: whether that was in the same place has to be seen. Called outside of locks.
    func checkPlace()
    /// One look, without reading; nil where there is nothing, or it cannot be told.
    func fingerprint() -> Fingerprint?

    /// Waits until no other writer, of this process or another, holds the value. What a killed writer left is thrown away,
    /// or kept for its user where `isWorthless` says no.
    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock
}

extension StoredFile {
    func nameIsGone() {}
    func checkPlace() {}
    /// What is not there, or is changed by nobody who does not tell, needs no look.
    func fingerprint() -> Fingerprint? { nil }

    /// What is there now; by a `lock` of it, where that is held.
    func read(
        through lock: (any StoredFileLock)?, limit: Int
    ) -> (content: Content, fingerprint: Fingerprint?) {
        guard let lock else { return read(limit: limit) }
        let found = lock.read(limit: limit)
        if found.content != .missing { return found }
        // To be told first, then to look.
        nameIsGone()
        return lock.read(limit: limit)
    }
}
