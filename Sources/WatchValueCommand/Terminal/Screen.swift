import SystemCalls

/// A whole terminal to draw on, restored afterwards. Without a terminal each frame is printed after the last one,
/// unless it is the same.
struct Screen {
    private let loop: MainLoop
    private let isTerminal = StandardStream.output.isScreen
    /// What the screen shows; nil if nothing was drawn.
    private var drawn: [String]?

    init(_ loop: MainLoop) {
        self.loop = loop
    }

    /// The size to which frames are cut; nil if they need not be cut.
    ///
    /// The last column is left free: with a character there the cursor stays on it, and many terminals (GNU screen is one)
    /// would clear it together with the rest of the line.
    var size: (columns: Int, rows: Int)? {
        guard isTerminal else { return nil }
        let (columns, rows) = StandardStream.output.windowSize ?? (80, 24)
        return (max(1, columns - 1), rows)
    }

    /// Draws on the terminal's alternate screen, without a cursor. If a terminal takes some text to be wider than this
    /// program does, the line is cut at the terminal's edge, and does not move the lines below.
    mutating func draw(_ lines: [String]) throws(Failure) {
        var text = ""
        if isTerminal {
            // Overwrites the last frame, so that nothing flickers; what is left of that is cleared line by line.
            if drawn == nil { text += "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l" }
            text += "\u{1B}[H" + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
        } else {
            if drawn == lines { return }
            if drawn != nil { text += "\n" }
            text += lines.map { "\($0)\n" }.joined()
        }
        drawn = lines
        try loop.write(Array(text.utf8))
    }

    /// Restores the terminal, until the next frame is drawn. Waits only a moment for a terminal that is stopped.
    mutating func giveBack() throws(Failure) {
        guard isTerminal, drawn != nil else { return }
        drawn = nil
        try loop.write(Array("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8), until: .now + .milliseconds(100))
    }
}
