import BroadcastPreferences
import Dispatch
import Foundation
import GroupFiles

/// Shows whether a broadcast is on air: a panel on a terminal, else one line a change. Ends by Ctrl-C.
@main @MainActor struct ViewerCommand {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case nil: break
        case "--until-end-of-input": endWithInput()
        case let option:
            let wantsHelp = option == "--help" || option == "-h"
            report("usage: viewer [--until-end-of-input]")
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
