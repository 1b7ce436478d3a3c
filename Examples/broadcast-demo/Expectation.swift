/// What the demo waits for.
enum Expectation {
    /// A line of the viewer that begins with this text.
    case viewer(String)
    /// The viewer shows a broadcast's figures.
    case figures
    case end(String)

    func isMet(by event: Event) -> Bool {
        switch (self, event) {
        case (.viewer(let start), .line(let line, "viewer")): line.hasPrefix(start)
        case (.figures, _): event.timeToView != nil
        case (.end(let name), .ended(let ended)): name == ended
        default: false
        }
    }
}
