/// How a value is to be locked.
struct LockRequest {
    /// How long the caller wants to wait; nil is for ever.
    var timeout: Duration?
    /// The task that waits: it may be cancelled until the lock is held, and waits no longer than for what it has left.
    var waiting: LockWait?
    /// The path of the container, where it has to lead to this value when the lock is held.
    var container: String?
    /// For whom is made what is missing; nil: as the directory is.
    var sharing: Sharing?
    /// Up to how many bytes of what a killed writer left are looked at.
    var limit: Int

    /// How long to wait; nil is for ever.
    var patience: Duration? { waiting.map(\.remaining) ?? timeout }
    /// Whether the wait may end without the lock.
    var isBounded: Bool { timeout != nil || waiting != nil }
}
