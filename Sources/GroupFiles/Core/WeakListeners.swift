/// The listeners of a core, which does not keep them alive. Most often there is one alone, which takes no dictionary.
struct WeakListeners: Sendable {
    private struct WeakListener: Sendable {
        weak let listener: (any CoreListener)?
    }

    private var first: (id: ObjectIdentifier, weak: WeakListener)?
    private var others: [ObjectIdentifier: WeakListener] = [:]

    /// What `body` makes of each that lives.
    func map<R>(_ body: (any CoreListener) -> R) -> [R] {
        // An array is cheaper made of one than grown by it.
        var made: [R] = if let listener = first?.weak.listener { [body(listener)] } else { [] }
        for other in others.values {
            if let listener = other.listener { made.append(body(listener)) }
        }
        return made
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
