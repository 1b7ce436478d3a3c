import Synchronization

/// The turns of a value's tasks: those that read need not wait for one that waits for the lock.
struct TaskTurns: ~Copyable, Sendable {
    // Made when first used: most values are changed by no task.
    private let madeForChanges = AtomicLazyReference<TaskTurn>()
    private let madeForReads = AtomicLazyReference<TaskTurn>()

    var changes: TaskTurn { madeForChanges.load() ?? madeForChanges.storeIfNil(TaskTurn()) }
    var reads: TaskTurn { madeForReads.load() ?? madeForReads.storeIfNil(TaskTurn()) }
}
