import BroadcastPreferences
import ExampleSupport
import Foundation

/// For a terminal: a panel of a few lines that is drawn over itself.
@MainActor final class Panel: Screen {
    private let path: String
    private let console: Console
    private let isColored = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    /// The lines that are drawn right above the cursor; empty before the first time.
    private var drawn: [String] = []
    private var times = Times()

    init(path: String, _ console: Console) {
        self.path = path
        self.console = console
    }

    func show(_ model: BroadcastModel) {
        if case .onAir(_?) = model.state, let time = model.timeToView { times.add(time) }
        draw(lines(model))
    }

    /// Prints the problem in the panel's place, and the panel again below it: a problem written over the panel would
    /// disappear with the next change.
    func report(_ problem: String) {
        // `show` ends the line: one more line up makes up for that.
        if !drawn.isEmpty { console.show("\u{1B}[\(drawn.count)A\u{1B}[J\u{1B}[A") }
        console.report(problem)
        resume()
    }

    /// Draws the panel again, below what the shell has written.
    func resume() {
        let lines = drawn
        drawn = []
        if !lines.isEmpty { draw(lines) }
    }

    private func draw(_ lines: [String]) {
        let lines = fitting(lines)
        // Goes up to where the panel began, and draws each line over the old one; what scrolled by above stays.
        var start = drawn.isEmpty ? "" : "\u{1B}[\(drawn.count)A"
        if lines.count < drawn.count { start += "\r\u{1B}[J" }
        drawn = lines
        // No line is wrapped in a narrow window: otherwise the number of lines to go up would be wrong.
        let text = lines.map { "\r" + $0 + "\u{1B}[K" }.joined(separator: "\n")
        console.show(start + "\u{1B}[?7l" + text + "\u{1B}[?7h")
    }

    /// In a low window, leaves out the empty lines, and lines for which there is no room: the cursor stands below the
    /// panel, and what scrolls out of the window cannot be drawn over.
    private func fitting(_ lines: [String]) -> [String] {
        guard let rows = console.rows, lines.count >= rows else { return lines }
        return Array(lines.filter { $0.contains { $0 != " " } }.prefix(max(1, rows - 1)))
    }

    private func lines(_ model: BroadcastModel) -> [String] {
        let colour =
            switch model.state {
            case .offAir: "90"
            case .onAir: "32"
            case .lost: "31"
            }
        var figures = ["", "", ""]
        if case .onAir(let broadcast?) = model.state {
            figures = [
                "bitrate        \(Text.bitrate(broadcast))", "frames sent    \(broadcast.framesSent)",
                "write to view  " + (times.summary ?? "–"),
            ]
        }
        return ["", "  \(paint("●", "1;\(colour)")) \(paint(Text.headline(model.state), "1"))", ""]
            + figures.map { "    " + $0 } + ["", "  " + paint(path, "90"), ""]
    }

    private func paint(_ text: String, _ style: String) -> String {
        isColored ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }
}
