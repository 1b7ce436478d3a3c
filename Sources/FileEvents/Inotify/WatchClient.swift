/// What the hub notifies: on a thread of the pool, outside of the hub's lock.
protocol WatchClient: AnyObject, Sendable {
    /// `lostEvents`: the queue overflowed, so anything may have happened.
    func process(_ events: [InotifyEvent], lostEvents: Bool)
    /// Paths may lead elsewhere by now, which no watch reports.
    func mountsChanged()
}

extension WatchClient {
    func mountsChanged() {}
}
