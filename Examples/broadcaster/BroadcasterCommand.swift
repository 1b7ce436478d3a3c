import Foundation

/// Runs a broadcaster: a loop plays the camera, Ctrl-C and SIGTERM the user who has seen enough.
@main struct BroadcasterCommand {
    private static let framesPerTick = 3
    private static let tick = Duration.milliseconds(100)

    static func main() {
        let options: Options
        do throws(Options.Wrong) {
            options = try Options(CommandLine.arguments.dropFirst())
        } catch {
            end(64, error: "\(error)")
        }
        if options.wantsHelp { end(0, Options.usage) }

        // Before going on air: a signal in between would leave the flag true.
        var stop = StopSignals()
        do {
            var broadcaster = try Broadcaster(title: options.title)
            say("started: \(options.title)")
            var failure: String?
            do {
                let wasStopped = try run(&broadcaster, until: options.end, &stop)
                if !wasStopped { failure = options.failure }
            } catch {
                failure = "\(error)"
            }
            try broadcaster.finish(failure: failure)
            if let failure { end(1, "finished with an error: \(failure)") }
            end(0, "finished")
        } catch {
            end(1, error: "\(error)")
        }
    }

    /// Until the end, or a signal: then true.
    private static func run(
        _ broadcaster: inout Broadcaster, until end: ContinuousClock.Instant?, _ stop: inout StopSignals
    ) throws -> Bool {
        while true {
            let left = end.map { $0 - .now } ?? tick
            if stop.come(within: min(tick, left)) { return true }
            if left < tick { return false }
            try broadcaster.sent(frames: framesPerTick, bitrate: .random(in: 3_800_000...4_400_000))
        }
    }

    private static func end(_ code: Int32, _ line: String? = nil, error: String? = nil) -> Never {
        if let line { say(line) }
        if let error { FileHandle.standardError.write(Data("broadcaster: \(error)\n".utf8)) }
        exit(code)
    }

    /// Unlike `print`, at once: somebody may wait for the line at the other end of a pipe.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
