/// Which events of one batch each client gets, in order.
struct EventBatches {
    private(set) var all: [(client: any WatchClient, events: [InotifyEvent])] = []
    /// The index of each client in `all`: one directory may have thousands of clients.
    private var places: [ObjectIdentifier: Int] = [:]

    /// With nil, adds the client without an event, so that it learns that events were lost.
    mutating func append(_ event: InotifyEvent?, for client: any WatchClient) {
        let place = places[ObjectIdentifier(client)] ?? all.count
        if place == all.count {
            places[ObjectIdentifier(client)] = place
            all.append((client, []))
        }
        if let event { all[place].events.append(event) }
    }
}
