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
    /// One look, without reading; nil where there is nothing, or it cannot be told.
    func fingerprint() -> Fingerprint?

    /// Waits until no other writer, of this process or another, holds the value. Where a path to the `container` is given,
    /// it leads to this value when the lock is held. A task that is `waiting` may be cancelled until then. What a killed writer left is thrown away, or kept for its user where
    /// `isWorthless`, which is shown up to `limit` bytes of it, says no.
    func lock(
        timeout: Duration?, waiting: LockWait?, through container: String?, limit: Int, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock
}

extension StoredFile {
    func nameIsGone() {}

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

/// The right to change a value; held until it is released.
protocol StoredFileLock: AnyObject, Sendable {
    /// What is there at this moment, without reading it; nil where there is nothing, or no telling.
    func look() throws(GroupFileError) -> Fingerprint?
    /// The same as the file's, but of the very directory that is locked, wherever the path leads meanwhile.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?)
    /// Whether surely nobody else has held the lock since this process did last.
    var isUndisturbed: Bool { get }
    /// Writes the bytes beside the value, as durable as is asked for, without publishing them.
    func prepare(_ bytes: [UInt8], durability: Durability) throws(GroupFileError)
    /// Publishes what was prepared: one atomic step. `.directoryKeepsChanging` where the lock was lost; it may be tried again. `.create` never replaces anything: false where something is there.
    func commit(_ mode: CommitMode) throws(GroupFileError) -> Bool
    /// Takes the value away; nothing happens where there is none.
    func commitRemoval() throws(GroupFileError)
    /// What was displaced is thrown away, or kept for its user where `isWorthless`, which is shown up to `limit` bytes of
    /// it, says no. Most often it is what is `expected`. Syncs the directory if asked to.
    func finish(
        durability: Durability, limit: Int, expected: Content, isWorthless: (Content) -> Bool
    ) throws(GroupFileError)
    /// Undoes what was prepared and not committed.
    func abandon()
    func release()
}

enum CommitMode: Sendable {
    case replace, create
}
