import SystemCalls

/// The right to change a value; held until it is released.
protocol StoredFileLock: AnyObject, Sendable {
    /// The same as the file's, but of the very directory that is locked, wherever the path leads meanwhile.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?)
    /// Whether surely nobody else has written under the lock since this process did last.
    var isUndisturbed: Bool { get }
    /// Writes the bytes beside the value, as durable as is asked for, without publishing them; then looks at what they are to
    /// replace, without reading it. Nil where there is nothing, or no telling.
    @discardableResult
    func prepare(_ bytes: [UInt8], durability: Durability) throws(GroupFileError) -> Fingerprint?
    /// Publishes what was prepared: one atomic step. `.directoryKeepsChanging` where the lock was lost; it may be tried
    /// again. `.create` never replaces anything: false where something is there.
    func commit(_ mode: CommitMode) throws(GroupFileError) -> Bool
    /// Takes the value away; nothing happens where there is none.
    func commitRemoval() throws(GroupFileError)
    /// What was displaced is thrown away, or kept for its user where `isWorthless`, which is shown up to `limit` bytes of
    /// it, says no. Most often it is what is `expected`. Syncs the directory if asked to. Returns where it is kept, unless
    /// the same was kept already.
    @discardableResult
    func finish(
        durability: Durability, limit: Int, expected: Content, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> String?
    /// Throws away what was kept, and has been carried over since.
    func drop(_ kept: String)
    /// Undoes what was prepared and not committed.
    func abandon()
    func release()
}
