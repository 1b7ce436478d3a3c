import SystemCalls

extension WatchHub {
    /// Which client wants what, and gets which events: decides, and leaves the acting to the hub.
    struct State {
        /// The descriptor, while anything is watched.
        var source: InotifySource?
        /// The directories, by the number of their watch.
        var nodes: [Int32: WatchNode] = [:] {
            didSet { recent = nil }
        }
        /// The last watch that was found to have a single client: most events belong to the same watch as the ones
        /// before them.
        private var recent: (watch: Int32, client: any WatchClient)?
        /// What to do once all earlier events have been routed, by the watch that marks the place in the queue.
        var barriers: [Int32: ThreadPool.Job] = [:]
        /// Clients that get no events from before a place in the queue, with the watch that marks that place.
        var newcomers: [ObjectIdentifier: Int32] = [:]

        /// Whether a look at what was mounted is scheduled.
        var hasMountLook = false
        /// When the next one may be made.
        var nextMountLook = Moment(nanoseconds: 0)

        /// Which client gets which of these events. Also notes what they say about the hub's own watches.
        mutating func deliveries(of events: [InotifyEvent]) -> Deliveries {
            if newcomers.isEmpty, let audience = audience(of: events) { return audience }
            var batches = EventBatches()
            var passed: [ThreadPool.Job] = []
            var lostEvents = false
            for event in events {
                if event.mask.contains(.overflow) {
                    lostEvents = true
                    newcomers = [:]
                    continue
                }
                if let action = barriers.removeValue(forKey: event.watch) { passed.append(action) }
                for client in nodes[event.watch]?.clients(of: event.name) ?? []
                where newcomers[ObjectIdentifier(client)] == nil {
                    batches.append(event, for: client)
                }
                if event.mask.contains(.ignored) {
                    nodes[event.watch] = nil
                    newcomers = newcomers.filter { $0.value != event.watch }
                }
            }
            if lostEvents {
                passed += barriers.values
                barriers = [:]
                for client in clients { batches.append(nil, for: client) }
            }
            return .each(batches, lostEvents: lostEvents, passed: passed)
        }

        /// Who gets all of these events, if they belong to one watch, and do not concern the hub itself.
        private mutating func audience(of events: [InotifyEvent]) -> Deliveries? {
            guard let watch = events.first?.watch else { return nil }
            for event in events where event.watch != watch || !event.mask.isDisjoint(with: .hubChanged) { return nil }
            if let recent, recent.watch == watch { return .all(to: recent.client) }
            if let client = nodes[watch]?.only {
                recent = (watch, client)
                return .all(to: client)
            }
            return nodes[watch]?.clients(ofAll: events).map(Deliveries.allToEach)
        }

        /// The clients of all nodes. A client of several nodes is listed several times.
        var clients: [any WatchClient] {
            mutating get { nodes.keys.flatMap { nodes[$0]?.clients ?? [] } }
        }
    }

    enum Deliveries {
        /// All events as they came: the most frequent case.
        case all(to: any WatchClient)
        case allToEach([any WatchClient])
        case each(EventBatches, lostEvents: Bool, passed: [ThreadPool.Job])
    }
}
