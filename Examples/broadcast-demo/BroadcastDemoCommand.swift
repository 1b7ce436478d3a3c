import Dispatch
import Foundation

/// Starts a viewer and broadcasters as separate processes, and shows what becomes of it.
@main struct BroadcastDemoCommand {
    private static let usage = "usage: broadcast-demo [--for SECONDS]"

    static func main() {
        var seconds = 3.0
        let arguments = CommandLine.arguments.dropFirst()
        if let first = arguments.first {
            if first == "--help" || first == "-h" {
                print(usage)
                exit(0)
            }
            guard arguments.count == 2, first == "--for", let number = Double(arguments.last ?? ""),
                (0.2...600).contains(number)
            else {
                report(usage)
                exit(64)
            }
            seconds = number
        }
        let inbox = Inbox()
        // Children and the directory are to go, however this ends.
        let registered = DispatchGroup()
        let signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            registered.enter()
            let source = DispatchSource.makeSignalSource(signal: number)
            // Sendable: not bound to the main thread, which is busy waiting for the inbox.
            source.setEventHandler { @Sendable in inbox.put(.interrupted) }
            source.setRegistrationHandler { @Sendable in registered.leave() }
            source.activate()
            return source
        }
        // Until then the signals are ignored, and a child would inherit that and never end.
        registered.wait()
        let code = withExtendedLifetime(signals) { run(seconds, inbox) }
        exit(code)
    }

    private static func run(_ seconds: Double, _ inbox: Inbox) -> Int32 {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("broadcast-demo-\(UUID().uuidString)")
        var code: Int32 = 0
        do {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
            var demo = Demo(containers: root.path + "/containers", inbox: inbox)
            try demo.run(seconds: seconds)
        } catch {
            report("\(error)")
            if case Trouble.interrupted = error { code = 130 } else { code = 1 }
        }
        do {
            try FileManager.default.removeItem(at: root)
        } catch {
            report("cannot remove \(root.path): \(error)")
            code = max(code, 1)
        }
        return code
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data("broadcast-demo: \(text)\n".utf8))
    }
}
