import SystemCalls

extension StandardStream {
    /// Whether it is a terminal that does what it is told: a dumb one shows the commands.
    var isScreen: Bool { isTerminal && CurrentProcess.environmentBytes("TERM") != Array("dumb".utf8) }
}

/// A whole terminal to draw on, given back as it was. Where there is none, each frame is printed after the last, unless it
/// is the same.
struct Screen {
    private let loop: MainLoop
    private let isTerminal = StandardStream.output.isScreen
    /// What is there; nil where nothing was drawn.
    private var drawn: [String]?

    init(_ loop: MainLoop) {
        self.loop = loop
    }

    /// Where lines are cut; nil where they need not be.
    var size: (columns: Int, rows: Int)? {
        isTerminal ? StandardStream.output.windowSize ?? (80, 24) : nil
    }

    /// The other screen, without a cursor.
    mutating func draw(_ lines: [String]) throws(Failure) {
        var text = ""
        if isTerminal {
            // Over what is there, so that nothing flickers; what is left of it is cleared line by line.
            if drawn == nil { text += "\u{1B}[?1049h\u{1B}[?25l" }
            text += "\u{1B}[H" + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
        } else {
            if drawn == lines { return }
            if drawn != nil { text += "\n" }
            text += lines.map { "\($0)\n" }.joined()
        }
        drawn = lines
        try loop.write(Array(text.utf8))
    }

    /// What is drawn next takes it again. Does not wait for a terminal that was stopped.
    mutating func giveBack() throws(Failure) {
        guard isTerminal, drawn != nil else { return }
        drawn = nil
        try loop.write(Array("\u{1B}[?25h\u{1B}[?1049l".utf8), until: .now + .milliseconds(100))
    }
}
