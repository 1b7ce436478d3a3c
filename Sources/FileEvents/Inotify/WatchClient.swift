/// Whom the hub tells: on a thread of the pool, outside of the hub's lock.
protocol WatchClient: AnyObject, Sendable {
    /// `lostEvents`: the queue overflowed, so anything may have happened.
    func process(_ events: [InotifyEvent], lostEvents: Bool)
    /// Paths may lead elsewhere by now, and of that no watch tells.
    func mountsChanged()
}

extension WatchClient {
    func mountsChanged() {}
}
