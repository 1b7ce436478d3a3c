/// The right to change a value, held: the lock, and the core in which the change is published.
struct Transaction: Sendable {
    let core: FileCore
    let lock: any StoredFileLock
    /// How long a value may be.
    let limit: Int

    /// What is there now, in the directory that is locked.
    func read() throws(GroupFileError) -> Publication { try core.read(through: lock, limit: limit) }
}
