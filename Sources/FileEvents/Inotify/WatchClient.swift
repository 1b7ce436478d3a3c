/// What the hub notifies: on a thread of the pool, outside of the hub's lock.
protocol WatchClient: AnyObject, Sendable {
    /// `lostEvents`: the queue overflowed, so anything may have happened.
    func process(_ events: [InotifyEvent], lostEvents: Bool)
    /// An event may have got lost just now. Called on any thread, which may hold the client's locks: it looks later.
    func mayHaveLostEvents()
    /// Paths may lead elsewhere by now, which no watch reports.
    func mountsChanged()
}

extension WatchClient {
    func mayHaveLostEvents() {}
    func mountsChanged() {}
}
