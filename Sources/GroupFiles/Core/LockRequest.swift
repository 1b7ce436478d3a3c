/// How a value is to be locked.
struct LockRequest {
    /// How long a change may wait for it in all; nil is for ever.
    var timeout: Duration?
    /// What waits for it in place of a task: may be cancelled until the lock is held, and waits for what time it has left.
    var call: BlockingCall?
    /// The path of the container, where it has to lead to this value when the lock is held.
    var container: String?
    /// For whom is made what is missing; nil: as the directory is.
    var sharing: Sharing?
    /// Up to how many bytes of what a killed writer left are looked at.
    var limit: Int

    /// What is left of the time to wait; nil is for ever.
    var remaining: Duration? { call.map(\.remaining) ?? timeout }
    /// Whether the wait may end without the lock.
    var isBounded: Bool { timeout != nil || call != nil }
}
