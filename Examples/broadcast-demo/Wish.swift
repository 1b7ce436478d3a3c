/// What the demo waits for.
enum Wish {
    /// A line of the viewer that begins so.
    case viewer(String)
    /// The viewer shows a broadcast's figures.
    case figures
    case end(String)

    func isMet(by event: Inbox.Event) -> Bool {
        switch (self, event) {
        case (.viewer(let start), .line(let line, "viewer")): line.hasPrefix(start)
        case (.figures, _): event.timeToView != nil
        case (.end(let name), .ended(let ended)): name == ended
        default: false
        }
    }
}

enum Trouble: Error, CustomStringConvertible {
    case stuck([Wish])
    case viewerEnded
    case interrupted

    var description: String {
        switch self {
        case .stuck(let wishes): "nothing happened for 20 s; waited for \(wishes)"
        case .viewerEnded: "the viewer has ended"
        case .interrupted: "interrupted"
        }
    }
}

extension Inbox.Event {
    /// Milliseconds, from "30 frames, 4.1 Mbit/s, seen 0.213 ms after the write".
    var timeToView: Double? {
        guard case .line(let line, "viewer") = self else { return nil }
        let words = line.split(separator: " ")
        guard let seen = words.lastIndex(of: "seen"), seen + 1 < words.count else { return nil }
        return Double(words[seen + 1])
    }
}
