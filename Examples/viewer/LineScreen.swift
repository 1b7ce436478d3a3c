import BroadcastPreferences
import ExampleSupport

/// For pipes and files: one line per change, printed at once.
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
