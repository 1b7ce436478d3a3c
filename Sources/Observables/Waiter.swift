/// A task that is suspended until something is published, or until it is cancelled.
///
/// It is resumed without a value and looks for itself: so it finds the newest, and not what was newest when it was
/// woken. The unsafe continuation saves the checked one's allocation; `ChannelState` gives each waiter out once.
@safe struct Waiter: Sendable {
    let id: UInt64
    private let continuation: UnsafeContinuation<Void, Never>

    init(id: UInt64, continuation: UnsafeContinuation<Void, Never>) {
        self.id = id
        unsafe self.continuation = continuation
    }

    func resume() {
        unsafe continuation.resume()
    }
}
