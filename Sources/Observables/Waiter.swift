import SystemCalls

/// A task that is suspended until something is published, or until it is cancelled.
///
/// The task is resumed without a value and then looks for itself, so that it finds the newest value, not the one that
/// was newest when it was woken. The unsafe continuation costs about a quarter less than the checked one; it is resumed
/// once only: `ChannelState.dequeue` returns each waiter only once, and one that was not enqueued is resumed at once.
/// The thread sanitizer may, very rarely and in debug builds, report a race between `resume` and
/// `withUnsafeContinuation`: if a task is resumed before it has suspended, the sanitizer does not see the runtime's
/// atomics.
@safe struct Waiter: Sendable {
    let id: UInt64
    let core: ChannelCore
    private let continuation: UnsafeContinuation<Void, Never>

    init(id: UInt64, core: ChannelCore, continuation: UnsafeContinuation<Void, Never>) {
        self.id = id
        self.core = core
        unsafe self.continuation = continuation
    }

    func resume(isKept: Bool = false) {
        if isKept { unsafe ResumedTask.resume(continuation) } else { unsafe continuation.resume() }
    }
}
