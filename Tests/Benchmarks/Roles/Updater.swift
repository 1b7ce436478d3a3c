import CFloor
import GroupFiles
import SystemCalls

/// Adds one, under the lock, for SECONDS; begins when its standard input ends. Prints `ready`, then how often it did.
///
///     benchmarks updater DIRECTORY SECONDS
enum Updater {
    /// The name of the value in DIRECTORY.
    static let name = "value"
    /// The bounds of SECONDS.
    static let bounds = 0.0...1_000_000

    static func run(_ operands: Operands) throws {
        let directory = try operands.text(0, "DIRECTORY")
        let seconds: Double = try operands.number(1, "SECONDS", in: bounds)
        let file = try Sample.file(directory + "/" + name, .readWrite, .relaxed)
        try waitForStart()
        let end = Moment.now + .seconds(seconds)
        var count = 0
        while Moment.now < end {
            try file.update { $0.counter += 1 }
            count += 1
        }
        Benchmarks.say("\(count)")
    }

    /// All updaters begin at the same time: when somebody ends their common standard input.
    static func waitForStart() throws {
        Benchmarks.say("ready")
        _ = try StandardStream.input.readToEnd(limit: 1)
    }
}
