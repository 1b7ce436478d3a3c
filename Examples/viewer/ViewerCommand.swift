import BroadcastPreferences
import Dispatch
import Foundation
import GroupFiles

/// Shows whether a broadcast is on air: a panel on a terminal, else one line a change. Ends by Ctrl-C.
@main @MainActor struct ViewerCommand {
    private static let usage = "usage: viewer [--until-end-of-input]"

    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case nil: break
        case "--until-end-of-input": endWithInput()
        case "--help", "-h":
            print(usage)
            exit(0)
        default:
            report(usage)
            exit(64)
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

    /// So that a viewer does not outlive who started it, however that ends.
    private static func endWithInput() {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            exit(0)
        }
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data("viewer: \(text)\n".utf8))
    }
}
