import SystemCalls

/// A directory that is watched, and who wants what of it.
struct WatchNode {
    /// Where the directory was when somebody added it last; nil once another one was found there.
    var path: String?
    /// What the kernel was asked for.
    var mask = InotifyMask()
    /// By which client: one directory may have thousands.
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// How many want the same.
    private var counts: [InotifyMask: Int] = [:]
    private var lastNumber = 0
    /// Who they are, as somebody asked last.
    private var known: [any WatchClient]?

    private struct Entry {
        let client: any WatchClient
        let number: Int
        var wanted: InotifyMask
    }

    init(path: String) {
        self.path = path
    }

    var isUnused: Bool { entries.isEmpty }
    var union: InotifyMask { counts.keys.reduce(into: []) { $0.formUnion($1) } }
    var only: (any WatchClient)? { entries.count == 1 ? entries.first?.value.client : nil }

    /// In the order in which they came.
    var clients: [any WatchClient] {
        mutating get {
            if let known { return known }
            let clients = entries.values.sorted { $0.number < $1.number }.map(\.client)
            known = clients
            return clients
        }
    }

    func wanted(by id: ObjectIdentifier) -> InotifyMask? { entries[id]?.wanted }

    mutating func add(_ wanted: InotifyMask, for client: any WatchClient) {
        let id = ObjectIdentifier(client)
        if let before = entries[id]?.wanted {
            change(before.union(wanted), of: id)
            return
        }
        lastNumber += 1
        entries[id] = Entry(client: client, number: lastNumber, wanted: wanted)
        counts[wanted, default: 0] += 1
        known = nil
    }

    /// With nil it wants nothing any more.
    mutating func change(_ wanted: InotifyMask?, of id: ObjectIdentifier) {
        guard let before = entries[id]?.wanted else { return }
        let count = counts[before] ?? 0
        counts[before] = count > 1 ? count - 1 : nil
        if let wanted {
            entries[id]?.wanted = wanted
            counts[wanted, default: 0] += 1
        } else {
            entries[id] = nil
            known = nil
        }
    }
}
