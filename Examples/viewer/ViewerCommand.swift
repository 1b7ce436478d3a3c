import BroadcastPreferences
import Dispatch
import ExampleSupport
import Foundation
import GroupFiles

/// Shows whether a broadcast is on air: a panel on a terminal, otherwise one line per change. Ctrl-C ends it.
@main @MainActor struct ViewerCommand {
    private static let usage = "usage: viewer [--until-end-of-input]"

    static func main() async {
        let console = Console("viewer")
        await console.run(usage) { arguments in
            let option = arguments.next()
            if let option, option != "--until-end-of-input" {
                throw Failure.usage("there is no option \(option)\n\(usage)")
            }
            try arguments.end()
            if option != nil { Console.atEndOfInput { exit(0) } }

            let preferences = try BroadcastPreferences(access: .readOnly)
            // A dumb terminal shows escape sequences instead of obeying them.
            let isScreen = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
            let screen: any Screen =
                isScreen ? Panel(path: preferences.isBroadcasting.path, console) : LineScreen(console)
            let model = BroadcastModel(preferences) { screen.show($0) }
            let continued = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .main)
            continued.setEventHandler { MainActor.assumeIsolated { screen.resume() } }
            continued.activate()
            // Reports content that is not a valid value.
            await withDiscardingTaskGroup { group in
                for failures in [preferences.isBroadcasting.failures, preferences.broadcast.failures] {
                    group.addTask { for await failure in failures { await screen.report("\(failure)") } }
                }
            }
            // Both are needed until here, and nothing else retains them.
            withExtendedLifetime((model, continued)) {}
        }
    }
}
