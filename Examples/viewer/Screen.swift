import BroadcastPreferences
import ExampleSupport

/// Where the viewer shows what it sees.
@MainActor protocol Screen: AnyObject {
    func show(_ model: BroadcastModel)
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
}

/// For a terminal: a panel of a few lines that is drawn over itself.
@MainActor final class Panel: Screen {
    private let path: String
    private let console: Console
    private var hasDrawn = false
    private var times = Times()

    init(path: String, _ console: Console) {
        self.path = path
        self.console = console
    }

    func show(_ model: BroadcastModel) {
        if case .onAir(_?) = model.state, let time = model.timeToView { times.add(time) }
        let lines = lines(model)
        // Up to where it began, and each line over the old one; what scrolled by above stays.
        let start = hasDrawn ? "\u{1B}[\(lines.count)A" : ""
        hasDrawn = true
        // No line is wrapped in a narrow window, or going up would count wrong.
        let text = lines.map { "\r" + $0 + "\u{1B}[K" }.joined(separator: "\n")
        console.say(start + "\u{1B}[?7l" + text + "\u{1B}[?7h")
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
        return ["", "  \u{1B}[1;\(colour)m●\u{1B}[0m \u{1B}[1m\(Text.headline(model.state))\u{1B}[0m", ""]
            + figures.map { "    " + $0 } + ["", "  \u{1B}[90m\(path)\u{1B}[0m", ""]
    }
}
