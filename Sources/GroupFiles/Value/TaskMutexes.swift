import Synchronization

/// The mutexes of a value's tasks: one task at a time changes the value, and one at a time reads it, which does not
/// have to wait while another waits for the value's lock.
struct TaskMutexes: ~Copyable, Sendable {
    // Made when first used: no task ever changes most values.
    private let madeForChanges = AtomicLazyReference<AsyncMutex>()
    private let madeForReads = AtomicLazyReference<AsyncMutex>()

    var changes: AsyncMutex { madeForChanges.load() ?? madeForChanges.storeIfNil(AsyncMutex()) }
    var reads: AsyncMutex { madeForReads.load() ?? madeForReads.storeIfNil(AsyncMutex()) }
}
