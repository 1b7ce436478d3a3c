import BroadcastPreferences
import Dispatch
import Foundation
import GroupFiles

/// Shows whether a broadcast is on air: a panel on a terminal, else one line a change. Ends by Ctrl-C.
@main @MainActor struct ViewerCommand {
    static func main() {
        if CommandLine.arguments.count > 1 {
            let wantsHelp = ["--help", "-h"].contains(CommandLine.arguments[1])
            report(wantsHelp ? "usage: viewer" : "there are no options; usage: viewer")
            exit(wantsHelp ? 0 : 64)
        }
        do {
            let preferences = try BroadcastPreferences(access: .readOnly)
            let screen: any Screen =
                isatty(STDOUT_FILENO) == 1 ? Panel(path: preferences.isBroadcasting.path) : LineScreen()
            let model = BroadcastModel(
                preferences, didChange: { screen.show($0) }, didFail: { report("\($0)") })
            withExtendedLifetime(model) { dispatchMain() }
        } catch {
            report("\(error)")
            exit(1)
        }
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data("viewer: \(text)\n".utf8))
    }
}
