/// A task that is suspended until something is published, or until it is cancelled.
///
/// It is resumed without a value and looks for itself: so it finds the newest, and not what was newest when it was
/// woken. The unsafe continuation saves the checked one's allocation; `ChannelState.dequeue` gives it out once.
@safe struct Waiter: Sendable {
    let id: UInt64
    let core: ChannelCore
    private let continuation: UnsafeContinuation<Void, Never>

    init(id: UInt64, core: ChannelCore, continuation: UnsafeContinuation<Void, Never>) {
        self.id = id
        self.core = core
        unsafe self.continuation = continuation
    }

    func resume() {
        unsafe continuation.resume()
    }
}
