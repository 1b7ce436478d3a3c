/// What decoding a value asked for: which keys its type knows, at each place.
///
/// Names are those that the type uses; a key strategy may have them in the text under others. Used by one thread.
final class RequestedKeys {
    /// From the root, as the decoder has it.
    let codingPath: [any CodingKey]
    /// What was asked for, and what was asked for there.
    private(set) var asked: [String: RequestedKeys] = [:]
    /// Whether a decoder was handed out here: only then can it be said what was not asked for.
    var isDecoded = false
    /// Whether it was decoded otherwise than key by key: as an array, or by asking which keys there are.
    var isOpaque = false

    init(codingPath: [any CodingKey] = []) {
        self.codingPath = codingPath
    }

    /// Takes note that a key was asked for; nothing is said of what is there.
    func ask(_ key: some CodingKey) {
        _ = self[key]
    }

    /// The notes of what is at a key, which has been asked for now.
    subscript(key: some CodingKey) -> RequestedKeys {
        get {
            if let notes = asked[key.stringValue] { return notes }
            let notes = RequestedKeys(codingPath: codingPath + [key])
            asked[key.stringValue] = notes
            return notes
        }
        set { asked[key.stringValue] = newValue }
    }
}
