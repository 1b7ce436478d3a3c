import SystemCalls

/// A watched directory, and what each client wants of it.
struct WatchNode {
    /// The path at which the directory was last added; nil once another directory was found there.
    var path: String?
    /// What the kernel has been asked for.
    var mask = InotifyMask()
    /// By client: one directory may have thousands.
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// How many clients want each mask.
    private var counts: [InotifyMask: Int] = [:]
    /// The clients that want each name, without those that want all names. Thousands of clients may each want a
    /// different name.
    private var byName: [ExactName: Set<ObjectIdentifier>] = [:]
    private var ofAllNames: Set<ObjectIdentifier> = []
    private var lastNumber = 0
    /// Cached results: all clients, and those that want all names.
    private var known: [any WatchClient]?
    private var knownOfAllNames: [any WatchClient]?

    private struct Entry {
        let client: any WatchClient
        let number: Int
        var wanted: WatchInterest
    }

    init(path: String) {
        self.path = path
    }

    var isUnused: Bool { entries.isEmpty }
    /// The union of what its clients want of the kernel.
    var union: InotifyMask { counts.keys.reduce(into: []) { $0.formUnion($1) } }
    /// Its client, if it has exactly one.
    var only: (any WatchClient)? { entries.count == 1 ? entries.first?.value.client : nil }

    /// In the order in which they were added.
    var clients: [any WatchClient] {
        mutating get {
            if let known { return known }
            let clients = clients(Set(entries.keys))
            known = clients
            return clients
        }
    }

    /// The clients that get events about a name; with nil, about the directory itself.
    mutating func clients(of name: String?) -> [any WatchClient] {
        guard let name else { return clients }
        if !byName.isEmpty, let ids = byName[ExactName(name)] { return clients(ids.union(ofAllNames)) }
        if let knownOfAllNames { return knownOfAllNames }
        let clients = clients(ofAllNames)
        knownOfAllNames = clients
        return clients
    }

    /// The clients that get all these events; nil if not all events go to the same clients.
    mutating func clients(ofAll events: [InotifyEvent]) -> [any WatchClient]? {
        // An event about a name that it does not want does a client no harm.
        if byName.isEmpty { return clients }
        guard let name = events.first?.name.map(ExactName.init) else { return nil }
        for event in events where event.name.map(ExactName.init) != name { return nil }
        return clients(of: name.text)
    }

    private func clients(_ ids: Set<ObjectIdentifier>) -> [any WatchClient] {
        ids.compactMap { entries[$0] }.sorted { $0.number < $1.number }.map(\.client)
    }

    func wanted(by id: ObjectIdentifier) -> WatchInterest? { entries[id]?.wanted }

    mutating func add(_ wanted: WatchInterest, for client: any WatchClient) {
        let id = ObjectIdentifier(client)
        if var union = entries[id]?.wanted {
            union.formUnion(wanted)
            return change(union, of: id)
        }
        lastNumber += 1
        entries[id] = Entry(client: client, number: lastNumber, wanted: wanted)
        list(wanted, of: id)
        known = nil
    }

    /// With nil, the client no longer wants anything.
    mutating func change(_ wanted: WatchInterest?, of id: ObjectIdentifier) {
        guard let before = entries[id]?.wanted, before != wanted else { return }
        unlist(before, of: id)
        if let wanted {
            entries[id]?.wanted = wanted
            list(wanted, of: id)
        } else {
            entries[id] = nil
            known = nil
        }
    }

    private mutating func list(_ wanted: WatchInterest, of id: ObjectIdentifier) {
        counts[wanted.mask, default: 0] += 1
        if wanted.hasAllNames {
            ofAllNames.insert(id)
            knownOfAllNames = nil
        } else {
            for name in wanted.names.union(wanted.otherNames) { byName[name, default: []].insert(id) }
        }
    }

    private mutating func unlist(_ wanted: WatchInterest, of id: ObjectIdentifier) {
        let count = counts[wanted.mask] ?? 0
        counts[wanted.mask] = count > 1 ? count - 1 : nil
        if wanted.hasAllNames {
            ofAllNames.remove(id)
            knownOfAllNames = nil
        } else {
            for name in wanted.names.union(wanted.otherNames) {
                byName[name]?.remove(id)
                if byName[name]?.isEmpty == true { byName[name] = nil }
            }
        }
    }
}
