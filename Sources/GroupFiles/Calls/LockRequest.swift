/// How a value is to be locked.
struct LockRequest {
    /// How long a change may wait for the lock in all; nil means for ever.
    var timeout: Duration?
    /// The call that a task awaits, if one does. It may be cancelled until the lock is held, and waits only for its
    /// remaining time.
    var call: BlockingCall?
    /// The path of the container, which has to lead to this value once the lock is held.
    var container: String?
    /// For whom missing files are made; nil: shared as the directory is.
    var sharing: Sharing?
    /// Whether the caller has another way if it does not get the lock in time, and need not know who holds it.
    var isTentative = false
    /// In bytes: what a killed writer left is read if it is no longer than this.
    var limit: Int

    /// What is left of the time to wait; nil means for ever.
    var remaining: Duration? { call.map(\.remaining) ?? timeout }
    /// Whether nobody waits for the lock any more.
    var isCancelled: Bool { call?.isCancelled ?? false }
    /// Whether there is a wait that may end without the lock.
    var isBounded: Bool { timeout != nil || call != nil }
}
