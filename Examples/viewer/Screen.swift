import BroadcastPreferences
import ExampleSupport
import Foundation

/// Where the viewer shows what it sees.
@MainActor protocol Screen: AnyObject, Sendable {
    func show(_ model: BroadcastModel)
    /// What went wrong, on standard error.
    func report(_ problem: String)
    /// Its process was stopped, as by Ctrl-Z, and goes on.
    func resume()
}

/// For pipes and files: one line a change, each at once.
@MainActor final class LineScreen: Screen {
    private let console: Console
    private var headline = ""

    init(_ console: Console) {
        self.console = console
    }

    func show(_ model: BroadcastModel) {
        let headline = Text.headline(model.state)
        if headline != self.headline {
            self.headline = headline
            console.say(headline)
        } else if case .onAir(let broadcast?) = model.state, let time = model.timeToView {
            console.say(
                "\(broadcast.framesSent) frames, \(Text.bitrate(broadcast)), "
                    + "seen \(Text.milliseconds(time)) after the write")
        }
    }

    func report(_ problem: String) { console.report(problem) }
    func resume() {}
}

/// For a terminal: a panel of a few lines that is drawn over itself.
@MainActor final class Panel: Screen {
    private let path: String
    private let console: Console
    private let isColored = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    /// What stands there, right above the cursor; empty before the first time.
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

    /// In the panel's place, which is drawn again below: over it, it would be gone with the next change.
    func report(_ problem: String) {
        // `show` ends the line: one more up makes up for that.
        if !drawn.isEmpty { console.show("\u{1B}[\(drawn.count)A\u{1B}[J\u{1B}[A") }
        console.report(problem)
        resume()
    }

    /// Below what the shell has written.
    func resume() {
        let lines = drawn
        drawn = []
        if !lines.isEmpty { draw(lines) }
    }

    private func draw(_ lines: [String]) {
        let lines = fitting(lines)
        // Up to where it began, and each line over the old one; what scrolled by above stays.
        var start = drawn.isEmpty ? "" : "\u{1B}[\(drawn.count)A"
        if lines.count < drawn.count { start += "\r\u{1B}[J" }
        drawn = lines
        // No line is wrapped in a narrow window, or going up would count wrong.
        let text = lines.map { "\r" + $0 + "\u{1B}[K" }.joined(separator: "\n")
        console.show(start + "\u{1B}[?7l" + text + "\u{1B}[?7h")
    }

    /// In a low window without empty lines, and without those that have no room: the cursor goes below, and what scrolls
    /// out of the window cannot be drawn over.
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
