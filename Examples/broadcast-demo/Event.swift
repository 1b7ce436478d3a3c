/// What a program does that the demo has started.
enum Event: Sendable {
    case line(String, from: String)
    case ended(String)

    /// The milliseconds in a line such as "30 frames, 4.1 Mbit/s, seen 0.213 ms after the write".
    var timeToView: Double? {
        guard case .line(let line, "viewer") = self else { return nil }
        let words = line.split(separator: " ")
        guard let seen = words.lastIndex(of: "seen"), seen + 1 < words.count else { return nil }
        return Double(words[seen + 1])
    }
}
