import ExampleSupport
import Foundation

/// Starts a viewer and broadcasters as separate processes, and shows what happens.
@main struct BroadcastDemoCommand {
    private static let usage = "usage: broadcast-demo [--for SECONDS]"

    static func main() async {
        let console = Console("broadcast-demo")
        // Before any programs and directory exist, which must not be left behind if the demo is stopped.
        let stop = await StopSignals()
        await console.run(usage) { arguments in
            let seconds = try seconds(&arguments)
            let directory = try makeDirectory()
            defer {
                do {
                    try FileManager.default.removeItem(at: directory)
                } catch {
                    console.report("cannot remove \(directory.path): \(error.reason)")
                }
            }
            let demo = Demo(containers: directory.path + "/containers", console)
            let wasStopped = try await stop.come { try await demo.run(seconds: seconds) }
            if wasStopped { throw Failure("interrupted", exitCode: 130) }
        }
    }

    private static func makeDirectory() throws(Failure) -> URL {
        let place = FileManager.default.temporaryDirectory
        let directory = place.appendingPathComponent("broadcast-demo-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        } catch {
            throw Failure("cannot make a directory in \(place.path): \(error.reason)", exitCode: 73)
        }
        return directory
    }

    private static func seconds(_ arguments: inout Arguments) throws(Failure) -> Double {
        guard let option = arguments.next() else { return 3 }
        guard option == "--for" else { throw .usage("there is no option \(option)\n\(usage)") }
        let seconds = try arguments.number(of: option, in: 0.2...600)
        try arguments.end()
        return seconds
    }
}
