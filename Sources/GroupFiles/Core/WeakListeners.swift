/// The listeners of a core, which does not keep them alive. Most often there is only one, which takes no dictionary.
struct WeakListeners: Sendable {
    private struct WeakListener: Sendable {
        weak let listener: (any CoreListener)?
    }

    /// Two properties instead of one optional pair: copying that would copy the weak reference, which is expensive.
    private var firstID: ObjectIdentifier?
    private var first = WeakListener(listener: nil)
    private var others: [ObjectIdentifier: WeakListener] = [:]

    /// What `body` makes of each that lives.
    func map<R>(_ body: (any CoreListener) -> R) -> [R] {
        // Creating an array with one element is cheaper than appending it.
        var made: [R] = if let listener = first.listener { [body(listener)] } else { [] }
        for other in others.values {
            if let listener = other.listener { made.append(body(listener)) }
        }
        return made
    }

    mutating func add(_ listener: any CoreListener) {
        let (id, weak) = (ObjectIdentifier(listener), WeakListener(listener: listener))
        if firstID == nil || firstID == id {
            (firstID, first) = (id, weak)
        } else {
            others[id] = weak
        }
    }

    mutating func remove(_ id: ObjectIdentifier) {
        if firstID == id { (firstID, first) = (nil, WeakListener(listener: nil)) }
        others[id] = nil
    }
}
