/// What decoding a value asked for: which keys its type knows, at each place.
///
/// Names are those that the type uses; a key strategy may have them in the text under others. Used by one thread.
final class RequestedKeys {
    /// A key, and where its object is: paths that are whole at each place would be as many keys as all are deep.
    private final class Place {
        let outer: Place?
        let key: any CodingKey

        init(_ key: any CodingKey, in outer: Place?) {
            self.key = key
            self.outer = outer
        }
    }

    /// Nil at the root.
    private let place: Place?
    /// What was asked for, and what was asked for there.
    private(set) var asked: [String: RequestedKeys] = [:]
    /// Whether a decoder was handed out here: only then can it be said what was not asked for.
    var isDecoded = false
    /// Whether it was decoded otherwise than key by key: as an array, or by asking which keys there are.
    var isOpaque = false
    /// Whether all attempts have failed.
    private var hasFailed = false

    init() {
        place = nil
    }

    private init(_ key: any CodingKey, in outer: Place?) {
        place = Place(key, in: outer)
    }

    /// From the root, as the decoder has it.
    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var next = place
        while let place = next {
            path.append(place.key)
            next = place.outer
        }
        return path.reversed()
    }

    /// Takes note that a key was asked for; nothing is said of what is there.
    func ask(_ key: some CodingKey) {
        _ = self[key]
    }

    /// The notes of what is at a key, which has been asked for now.
    subscript(key: some CodingKey) -> RequestedKeys {
        get {
            if let notes = asked[key.stringValue] { return notes }
            let notes = attempt(key)
            asked[key.stringValue] = notes
            return notes
        }
        set { asked[key.stringValue] = newValue }
    }

    /// Notes for an attempt to decode what is at a key, which are to be added when it is over.
    func attempt(_ key: some CodingKey) -> RequestedKeys { RequestedKeys(key, in: place) }

    /// What was asked for in an attempt is known. How it was decoded in one that failed counts only where no other succeeds.
    func add(_ attempt: RequestedKeys, at key: some CodingKey, isFailure: Bool) {
        attempt.hasFailed = isFailure
        guard let notes = asked[key.stringValue] else {
            asked[key.stringValue] = attempt
            return
        }
        if notes.hasFailed, !isFailure { notes.forgetOpaque() }
        if !notes.hasFailed, isFailure { attempt.forgetOpaque() }
        notes.hasFailed = notes.hasFailed && isFailure
        notes.merge(attempt)
    }

    private func forgetOpaque() {
        isOpaque = false
        for notes in asked.values { notes.forgetOpaque() }
    }

    private func merge(_ other: RequestedKeys) {
        if other === self { return }
        isDecoded = isDecoded || other.isDecoded
        isOpaque = isOpaque || other.isOpaque
        for (name, notes) in other.asked {
            if let own = asked[name] { own.merge(notes) } else { asked[name] = notes }
        }
    }
}
