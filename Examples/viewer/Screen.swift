import BroadcastPreferences
import Foundation

/// Where the viewer shows what it sees.
@MainActor protocol Screen: AnyObject {
    func show(_ model: BroadcastModel)
}

/// For pipes and files: one line a change, each at once.
@MainActor final class LineScreen: Screen {
    private var headline = ""

    func show(_ model: BroadcastModel) {
        let headline = Text.headline(model.state)
        if headline != self.headline {
            self.headline = headline
            printLine(headline)
        } else if case .onAir(let broadcast?) = model.state, let time = model.timeToView {
            printLine(
                "\(broadcast.framesSent) frames, \(Text.bitrate(broadcast)), "
                    + "seen \(Text.milliseconds(time)) after the write")
        }
    }

    private func printLine(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

/// For a terminal: a panel of a few lines that is drawn over itself.
@MainActor final class Panel: Screen {
    private var hasDrawn = false
    private var times = Times()
    private let path: String

    init(path: String) {
        self.path = path
    }

    func show(_ model: BroadcastModel) {
        if case .onAir(_?) = model.state, let time = model.timeToView { times.add(time) }
        let lines = lines(model)
        // Up to where it began, and each line over the old one; what scrolled by above stays.
        var text = hasDrawn ? "\u{1B}[\(lines.count)A" : ""
        // No line is wrapped in a narrow window, or going up would count wrong.
        text += "\u{1B}[?7l" + lines.map { "\r" + $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[?7h"
        hasDrawn = true
        FileHandle.standardOutput.write(Data(text.utf8))
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
