import Synchronization

/// The queues of the calls that a value's tasks await. One call at a time changes the value, and one at a time reads
/// it; a read does not have to wait while a change waits for the value's lock.
struct CallQueues: ~Copyable, Sendable {
    // Made when first used: no task ever changes most values.
    let madeForChanges = AtomicLazyReference<CallQueue>()
    private let madeForReads = AtomicLazyReference<CallQueue>()

    var changes: CallQueue { madeForChanges.load() ?? madeForChanges.storeIfNil(CallQueue()) }
    var reads: CallQueue { madeForReads.load() ?? madeForReads.storeIfNil(CallQueue()) }
}
