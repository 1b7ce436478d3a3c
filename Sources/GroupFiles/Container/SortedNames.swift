import SystemCalls

/// Names in sorted order. There may be thousands, of which one comes or goes at a time: sorting all of them for each
/// change takes a hundred times as long as putting that one in its place. Pure.
struct SortedNames {
    private(set) var names: Set<ExactName> = []
    /// The same names.
    private(set) var sorted: [String] = []

    /// False if that changes nothing. No name may be both added and removed.
    mutating func change(adding: Set<ExactName>, removing: Set<ExactName>) -> Bool {
        let added = adding.filter { names.insert($0).inserted }.map(\.text).sorted()
        let removed = removing.filter { names.remove($0) != nil }
        if added.isEmpty, removed.isEmpty { return false }
        if added.count + removed.count <= Self.few {
            for name in removed { remove(name) }
            for name in added { sorted.insert(name, at: place(of: name)) }
        } else {
            merge(added, without: removed)
        }
        return true
    }

    /// At most this many names are put in their place one by one, because each of them moves all names behind it.
    private static let few = 8

    /// Where the first name is that does not come before this one.
    private func place(of name: String) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func remove(_ name: ExactName) {
        // Spellings that Swift calls equal are beside each other.
        let index = sorted[place(of: name.text)...].firstIndex { ExactName($0) == name }
        if let index { sorted.remove(at: index) }
    }

    private mutating func merge(_ added: [String], without removed: Set<ExactName>) {
        var merged: [String] = []
        merged.reserveCapacity(names.count)
        var rest = added[...]
        for name in sorted where !removed.contains(ExactName(name)) {
            while let next = rest.first, next < name { merged.append(rest.removeFirst()) }
            merged.append(name)
        }
        sorted = merged + rest
    }
}
