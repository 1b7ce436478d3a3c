/// The listeners of a core, which does not keep them alive. Most often there is only one, which takes no dictionary.
struct WeakListeners: Sendable {
    private struct WeakListener: Sendable {
        weak let listener: (any CoreListener)?
    }

    /// Two properties instead of a pair: copying that would copy the weak reference, which is expensive.
    private var firstID: ObjectIdentifier?
    private weak var first: (any CoreListener)?
    private var others: [ObjectIdentifier: WeakListener] = [:]

    /// The results of calling `body` with each listener that still lives.
    func map<R>(_ body: (any CoreListener) -> R) -> [R] {
        // Creating an array with one element is cheaper than appending it.
        var made: [R] = if let first { [body(first)] } else { [] }
        for other in others.values {
            if let listener = other.listener { made.append(body(listener)) }
        }
        return made
    }

    mutating func add(_ listener: any CoreListener) {
        let id = ObjectIdentifier(listener)
        if firstID == nil || firstID == id {
            (firstID, first) = (id, listener)
        } else {
            others[id] = WeakListener(listener: listener)
        }
    }

    mutating func remove(_ id: ObjectIdentifier) {
        if firstID == id { (firstID, first) = (nil, nil) }
        others[id] = nil
    }
}
