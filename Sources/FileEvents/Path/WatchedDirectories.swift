import SystemCalls

/// The directories that are watched on the way of a path, and what events in them mean for it. Pure.
struct WatchedDirectories {
    struct Consequences: Equatable {
        /// Of names in the target.
        var changes: [InotifyEvent]
        /// What happened in the target may not have been told.
        var mayHaveMissedEvents = false
        /// The path may lead elsewhere. True wherever one of the others is.
        var mustResolve = false
        /// Others may be allowed to enter the target.
        var accessMayHaveChanged = false
        var isUnmounted = false
        /// A name on the way came or went: the path may have led elsewhere meanwhile, whatever it leads to now.
        var mayHaveLedElsewhere = false
    }

    private let interests: [Int32: WatchInterest]
    /// The watch of the target, where there is one.
    let target: Int32?
    /// The name in it that the path leads to: what happens to that one is a change, and none of the way.
    private let leaf: ExactName?
    /// The target's watch, where no name in the target matters to the way: known beforehand, as it is asked for each
    /// change.
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
                // Others may enter it now, or another one was renamed over it.
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

    /// Most often all events are about names in the target, on which nothing depends.
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
