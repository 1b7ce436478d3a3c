/// A client of the hub, which notifies it outside of the hub's lock and, unless noted otherwise, on a thread of the
/// pool.
protocol WatchClient: AnyObject, Sendable {
    /// `lostEvents`: some events were not reported, for example because the queue overflowed, so anything may have
    /// happened.
    func process(_ events: [InotifyEvent], lostEvents: Bool)
    /// An event may have been lost just now. Called on any thread, which may hold the client's locks: so the client has
    /// to look later.
    func mayHaveLostEvents()
    /// Something was mounted or unmounted: paths may lead elsewhere by now, which no watch reports.
    func mountsChanged()
}

extension WatchClient {
    func mayHaveLostEvents() {}
    func mountsChanged() {}
}
