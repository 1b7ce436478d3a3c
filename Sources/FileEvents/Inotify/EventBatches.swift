/// What each client is told of one batch, in order.
struct EventBatches {
    private(set) var all: [(client: any WatchClient, events: [InotifyEvent])] = []
    /// Where a client's events are: one directory may have thousands of clients.
    private var places: [ObjectIdentifier: Int] = [:]

    /// With nil the client is among them, if only to be told that there were events.
    mutating func append(_ event: InotifyEvent?, for client: any WatchClient) {
        let place = places[ObjectIdentifier(client)] ?? all.count
        if place == all.count {
            places[ObjectIdentifier(client)] = place
            all.append((client, []))
        }
        if let event { all[place].events.append(event) }
    }
}
