import ExampleSupport
import Foundation

/// Runs a broadcaster: a loop plays the camera, Ctrl-C and SIGTERM the user who has seen enough.
@main struct BroadcasterCommand {
    private static let framesPerTick = 3
    private static let tick = Duration.milliseconds(100)

    static func main() async {
        let console = Console("broadcaster")
        // Before going on air: a signal in between would leave the flag true.
        let stop = await StopSignals()
        await console.run(Options.usage) { arguments in
            let options = try Options(&arguments)
            if options.endsWithInput { Console.atEndOfInput { kill(getpid(), SIGTERM) } }
            let broadcaster = try Broadcaster(title: options.title)
            var failure: String?
            do {
                let wasStopped = try await stop.come {
                    try await broadcaster.start()
                    console.say("started: \(options.title)")
                    try await play(broadcaster, for: options.duration)
                }
                if !wasStopped { failure = options.failure }
            } catch {
                guard await broadcaster.hasStarted else { throw error }
                failure = "\(error)"
            }
            // If it was stopped while it waited to go on air, there is nothing to finish.
            guard await broadcaster.hasStarted else { return }
            try await broadcaster.finish(failure: failure)
            if let failure {
                console.say("finished with an error: \(failure)")
                exit(1)
            }
            console.say("finished")
        }
    }

    /// Sends frames for that long, or until the task is cancelled.
    private static func play(_ broadcaster: Broadcaster, for duration: Duration?) async throws {
        let end = duration.map { ContinuousClock.now + $0 }
        while true {
            let left = end.map { $0 - .now } ?? tick
            try await Task.sleep(for: min(tick, left))
            if left < tick { return }
            try await broadcaster.sent(frames: framesPerTick, bitrate: .random(in: 3_800_000...4_400_000))
        }
    }
}
