/// The right to change a value, held: the lock, and the core in which the change is published.
struct Transaction: Sendable {
    let core: FileCore
    let lock: any StoredFileLock
}
