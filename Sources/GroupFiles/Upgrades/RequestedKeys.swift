import PlainJSON

/// The keys that were requested while a value was decoded, at each place: these are the keys that its type knows.
///
/// Names are those that the type uses; with a key strategy the text may have others. Used by one thread only.
final class RequestedKeys {
    /// A key, and the place of its object. A whole path at each place would repeat the keys of all places around it.
    private final class Place {
        var outer: Place?
        var key: any CodingKey

        init(_ key: any CodingKey, in outer: Place?) {
            self.key = key
            self.outer = outer
        }
    }

    /// Nil at the root.
    private let place: Place?
    /// The requested keys, each with what was requested in its value.
    private(set) var asked: [String: RequestedKeys] = [:]
    /// Whether a decoder was handed out here: only then do we know what was not requested.
    var isDecoded = false
    /// Whether all keys are known, because all were requested, or the value was not decoded by key.
    var knowsAllKeys = false
    /// Whether the type uses the keys that are in the text, whatever the key strategy.
    var hasKeysAsWritten = false
    /// Whether this is a set, say, which is written as an array in any order.
    var isUnordered = false
    /// Whether all attempts to decode the value have failed.
    private var hasFailed = false

    init() {
        place = nil
    }

    private init(_ key: any CodingKey, in outer: Place?) {
        place = Place(key, in: outer)
    }

    /// Notes about a value whose place becomes known later, when they are stored there.
    static var detached: RequestedKeys { RequestedKeys(AnyKey(""), in: nil) }

    /// Stores notes that are detached so far.
    func store(_ notes: RequestedKeys, at key: some CodingKey) {
        notes.place?.outer = place
        notes.place?.key = key
        asked[key.stringValue] = notes
    }

    /// The path from the root, as the decoder has it.
    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var next = place
        while let place = next {
            path.append(place.key)
            next = place.outer
        }
        return path.reversed()
    }

    /// Notes that a key was requested, and nothing about its value.
    func ask(_ key: some CodingKey) {
        _ = self[key]
    }

    /// The notes about the value at a key, which counts as requested from now on.
    subscript(key: some CodingKey) -> RequestedKeys {
        get {
            if let notes = asked[key.stringValue] { return notes }
            let notes = attempt(key)
            asked[key.stringValue] = notes
            return notes
        }
        set { asked[key.stringValue] = newValue }
    }

    /// The notes about an element of an array.
    subscript(index: Int) -> RequestedKeys { self[AnyKey(index: index)] }

    /// Notes for an attempt to decode the value at a key, to be added when the attempt is over.
    func attempt(_ key: some CodingKey) -> RequestedKeys { RequestedKeys(key, in: place) }

    /// Adds the notes of an attempt. Keys that any attempt requested are known. How a failed attempt decoded counts
    /// only if no other succeeds.
    func add(_ attempt: RequestedKeys, at key: some CodingKey, isFailure: Bool) {
        attempt.hasFailed = isFailure
        guard let notes = asked[key.stringValue] else {
            asked[key.stringValue] = attempt
            return
        }
        if notes.hasFailed, !isFailure { notes.forgetKnowingAllKeys() }
        if !notes.hasFailed, isFailure { attempt.forgetKnowingAllKeys() }
        notes.hasFailed = notes.hasFailed && isFailure
        notes.merge(attempt)
    }

    private func forgetKnowingAllKeys() {
        knowsAllKeys = false
        for notes in asked.values { notes.forgetKnowingAllKeys() }
    }

    private func merge(_ other: RequestedKeys) {
        if other === self { return }
        isDecoded = isDecoded || other.isDecoded
        knowsAllKeys = knowsAllKeys || other.knowsAllKeys
        hasKeysAsWritten = hasKeysAsWritten || other.hasKeysAsWritten
        isUnordered = isUnordered || other.isUnordered
        for (name, notes) in other.asked {
            if let own = asked[name] { own.merge(notes) } else { asked[name] = notes }
        }
    }
}
