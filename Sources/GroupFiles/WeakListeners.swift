/// Whom a core tells. Most often it is one alone, which takes no dictionary.
struct WeakListeners: Sendable {
    private struct WeakListener: Sendable {
        weak let listener: (any CoreListener)?
    }

    private var first: (id: ObjectIdentifier, weak: WeakListener)?
    private var others: [ObjectIdentifier: WeakListener] = [:]

    /// Those that live.
    var all: [any CoreListener] {
        var all: [any CoreListener] = []
        if let listener = first?.weak.listener { all.append(listener) }
        for other in others.values {
            if let listener = other.listener { all.append(listener) }
        }
        return all
    }

    mutating func add(_ listener: any CoreListener) {
        let (id, weak) = (ObjectIdentifier(listener), WeakListener(listener: listener))
        if first == nil || first?.id == id {
            first = (id, weak)
        } else {
            others[id] = weak
        }
    }

    mutating func remove(_ id: ObjectIdentifier) {
        if first?.id == id { first = nil }
        others[id] = nil
    }
}
