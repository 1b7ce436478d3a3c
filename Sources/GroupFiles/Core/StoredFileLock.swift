import SystemCalls

/// The right to change a value; held until it is released.
protocol StoredFileLock: AnyObject, Sendable {
    /// Like the file's `read`, but in the very directory that is locked, wherever the path leads meanwhile.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?)
    /// Whether certainly nobody else has prepared a change under the lock since this process last did. The value may
    /// have been removed all the same.
    var isUndisturbed: Bool { get }
    /// Whether the lock was held for long enough for the path to be led elsewhere, or for somebody else to take the
    /// lock, and that has happened.
    var isLost: Bool { get }
    /// Writes the bytes beside the value, as durably as asked, without publishing them; then looks at the file that
    /// they are to replace, without reading it. Nil if there is none, or it has no fingerprint.
    @discardableResult
    func prepare(_ bytes: [UInt8], durability: Durability) throws(GroupFileError) -> Fingerprint?
    /// Publishes what was prepared, in one atomic step. `.directoryKeepsChanging` if the lock was lost: the change may
    /// be tried again. `.create` never replaces anything: false if something is there.
    func commit(_ mode: CommitMode) throws(GroupFileError) -> Bool
    /// Removes the value; no effect if there is none.
    func commitRemoval() throws(GroupFileError)
    /// Throws away the file that was displaced if its content `isWorthless`, and keeps it for its user otherwise. The
    /// file is read for that if it is no longer than `limit`; most often its content is what is `expected`. Syncs the
    /// directory if `durability` asks for it. Returns the name of what is kept; nil if nothing is, or if the same was
    /// kept already.
    @discardableResult
    func finish(
        durability: Durability, limit: Int, expected: Content, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> String?
    /// Throws away a kept file whose content has been carried over since.
    func drop(_ kept: String)
    /// Undoes what was prepared and not committed.
    func abandon()
    func release()
}

extension StoredFileLock {
    /// For a change that has displaced nothing.
    func finish(durability: Durability) throws(GroupFileError) {
        try finish(durability: durability, limit: 0, expected: .missing, isWorthless: { _ in true })
    }
}
