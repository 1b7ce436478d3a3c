import SystemCalls

/// The directories that are watched along a path, and what events in them mean for it. Pure.
struct WatchedDirectories {
    struct Consequences: Equatable {
        /// Events about names in the target.
        var changes: [InotifyEvent]
        /// Events in the target may not have been reported.
        var mayHaveMissedEvents = false
        /// The path may lead elsewhere. True whenever one of the other flags is.
        var mustResolve = false
        /// Others may be allowed to enter the target.
        var accessMayHaveChanged = false
        var isUnmounted = false
        /// A name on the way came or went: the path may have led elsewhere meanwhile, whatever it leads to now.
        var mayHaveLedElsewhere = false
    }

    private let interests: [Int32: WatchInterest]
    /// The watch of the target, if there is one.
    let target: Int32?
    /// The name in it that the path leads to: an event about it is a change of the target, not of the way.
    private let leaf: ExactName?
    /// The target's watch, if no name in the target matters to the way. Computed in advance, because each change needs
    /// it.
    private let plainTarget: Int32?

    init(_ interests: [Int32: WatchInterest] = [:], target: Int32? = nil, leaf: String? = nil) {
        self.interests = interests
        self.target = target
        self.leaf = leaf.map(ExactName.init)
        plainTarget = target.flatMap { interests[$0]?.names.isEmpty == true ? $0 : nil }
    }

    var numbers: Set<Int32> { Set(interests.keys) }

    func consequences(of events: [InotifyEvent], lostEvents: Bool) -> Consequences {
        if !lostEvents, areAboutNames(events) { return Consequences(changes: events) }
        var found = Consequences(changes: [], mayHaveMissedEvents: lostEvents, mustResolve: lostEvents)
        for event in events {
            guard let interest = interests[event.watch] else { continue }
            if !event.mask.isDisjoint(with: .selfChanged) {
                found.mustResolve = true
                found.mayHaveMissedEvents = true
                if event.mask.contains(.unmount) { found.isUnmounted = true }
            } else if event.name == nil, event.mask.contains(.attributes) {
                // Others may be allowed to enter the directory now, or another one was renamed over it.
                found.mustResolve = true
                if event.watch == target { found.accessMayHaveChanged = true }
            } else if let name = event.name {
                let name = ExactName(name)
                if interest.names.contains(name), !event.mask.isDisjoint(with: .namesChanged) {
                    found.mustResolve = true
                    if event.watch != target || name != leaf { found.mayHaveLedElsewhere = true }
                }
                if event.watch == target { found.changes.append(event) }
            }
        }
        return found
    }

    /// Whether all events are about names in the target, and the way depends on none of its names: the most frequent
    /// case.
    private func areAboutNames(_ events: [InotifyEvent]) -> Bool {
        guard let plainTarget, !events.isEmpty else { return false }
        for event in events {
            if event.watch != plainTarget || event.name == nil || !event.mask.isDisjoint(with: .selfChanged) {
                return false
            }
        }
        return true
    }
}
