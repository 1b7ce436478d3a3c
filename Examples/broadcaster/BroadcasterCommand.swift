import Dispatch
import Foundation

/// Runs a broadcaster: a timer plays the camera, Ctrl-C and SIGTERM the user who has seen enough.
@main @MainActor struct BroadcasterCommand {
    private static let framesPerTick = 3
    private static let tick = DispatchTimeInterval.milliseconds(100)

    static func main() {
        let options: Options
        do throws(Options.Wrong) {
            options = try Options(CommandLine.arguments.dropFirst())
        } catch {
            end(64, error: "\(error)")
        }
        if options.wantsHelp { end(0, Options.usage) }

        // Before going on air: a signal in between would leave the flag true.
        let signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .main)
        }
        do {
            run(try Broadcaster(title: options.title), options, signals)
        } catch {
            end(1, error: "\(error)")
        }
    }

    private static func run(
        _ broadcaster: Broadcaster, _ options: Options, _ signals: [any DispatchSourceSignal]
    ) -> Never {
        say("started: \(options.title)")
        for source in signals {
            source.setEventHandler { MainActor.assumeIsolated { finish(broadcaster, failure: nil) } }
            source.activate()
        }
        let camera = DispatchSource.makeTimerSource(queue: .main)
        camera.schedule(deadline: .now() + tick, repeating: tick)
        camera.setEventHandler {
            MainActor.assumeIsolated {
                do {
                    try broadcaster.sent(frames: framesPerTick, bitrate: .random(in: 3_800_000...4_400_000))
                } catch {
                    finish(broadcaster, failure: "\(error)")
                }
            }
        }
        camera.activate()
        if let seconds = options.seconds {
            DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
                MainActor.assumeIsolated { finish(broadcaster, failure: options.failure) }
            }
        }
        dispatchMain()
    }

    private static func finish(_ broadcaster: Broadcaster, failure: String?) {
        do {
            try broadcaster.finish(failure: failure)
        } catch {
            end(1, error: "cannot say that the broadcast is over: \(error)")
        }
        if let failure { end(1, "finished with an error: \(failure)") }
        end(0, "finished")
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
