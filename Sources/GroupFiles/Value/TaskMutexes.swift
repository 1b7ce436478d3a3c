import Synchronization

/// The mutexes of a value's tasks: one task at a time changes it, and one reads it, which need not wait for another that
/// waits for the value's lock.
struct TaskMutexes: ~Copyable, Sendable {
    // Made when first used: most values are changed by no task.
    private let madeForChanges = AtomicLazyReference<AsyncMutex>()
    private let madeForReads = AtomicLazyReference<AsyncMutex>()

    var changes: AsyncMutex { madeForChanges.load() ?? madeForChanges.storeIfNil(AsyncMutex()) }
    var reads: AsyncMutex { madeForReads.load() ?? madeForReads.storeIfNil(AsyncMutex()) }
}
