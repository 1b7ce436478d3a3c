import Glibc
import GroupFiles
import SystemCalls

/// What several processes do to one value at the same time, until they are killed or time is up.
extension Probe {
    /// False if it is no such command.
    static func work(_ command: String, _ arguments: [String]) throws -> Bool {
        switch command {
        case "tally": try tally(arguments)
        case "stamp": try stamp(arguments)
        case "stamps": try stamps(arguments)
        case "turns": try turns(arguments)
        case "tasks": try tasks(arguments)
        case "faults": try faults(arguments)
        case "churn": try churn(arguments)
        default: return false
        }
        return true
    }

    /// How often each worker has counted, and a filler that shows whether the value is whole.
    struct Tally: Codable, Sendable {
        var counts: [Int]
        var filler: String

        init(counts: [Int]) {
            self.counts = counts
            let sum = counts.reduce(0, +)
            filler = String(repeating: "abcdefghij", count: 20 + sum % 200) + "\(sum)"
        }
    }

    /// DIR NAME WORKER WORKERS [relaxed…]: prints what it has counted so far, then counts until it is killed: `s`
    /// before each update, `a` once it has returned.
    private static func tally(_ arguments: [String]) throws {
        let (worker, workers) = (number(arguments[2]), number(arguments[3]))
        let file = try GroupFile(
            arguments[1], in: try GroupContainer(directory: arguments[0]),
            initialValue: Tally(counts: [Int](repeating: 0, count: workers)),
            durability: Durability(rawValue: arguments[4]) ?? .relaxed)
        say("b\(try file.read().counts[worker])")
        while true {
            say("s")
            try file.update { value in
                value.counts[worker] += 1
                value = Tally(counts: value.counts)
            }
            say("a")
        }
    }

    /// Who wrote a value, and its number among those of that writer.
    struct Stamp: Codable, Sendable {
        var writer: Int
        var count: Int
        /// If all writers update: its number among those of all.
        var serial: Int
    }

    /// DIR NAME WRITER update|write END: writes stamps until that moment, at least one. Prints the number of the last
    /// one.
    private static func stamp(_ arguments: [String]) throws {
        let writer = number(arguments[2])
        let end = Moment(nanoseconds: Int64(number(arguments[4])))
        let file = try GroupFile(
            arguments[1], in: try GroupContainer(directory: arguments[0]),
            initialValue: Stamp(writer: 0, count: 0, serial: 0), durability: .relaxed)
        var count = 0
        repeat {
            count += 1
            if arguments[3] == "update" {
                try file.update { $0 = Stamp(writer: writer, count: count, serial: $0.serial + 1) }
            } else {
                try file.write(Stamp(writer: writer, count: count, serial: 0))
            }
            // The writer's own value is what it wrote, or something newer: never an older one of this writer.
            let own = file.value
            if own.writer == 0 || own.writer == writer && own.count < count { say("stale \(own) after \(count)") }
        } while Moment.now < end
        say("last \(count)")
    }

    /// DIR NAME: prints each stamp that it gets.
    private static func stamps(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0], access: .readOnly)
        let file = try GroupFile(
            arguments[1], in: container, initialValue: Stamp(writer: 0, count: 0, serial: 0), access: .readOnly)
        let subscription = file.sink { say("\($0.writer) \($0.count) \($0.serial)") }
        withExtendedLifetime(subscription) { waitForever() }
    }

    /// DIR NAME START END: adds one, again and again, between the two moments. Prints how often, and the
    /// `processorTime` that was used meanwhile.
    private static func turns(_ arguments: [String]) throws {
        let start = Moment(nanoseconds: Int64(number(arguments[2])))
        let end = Moment(nanoseconds: Int64(number(arguments[3])))
        let file = try GroupFile(
            arguments[1], in: try GroupContainer(directory: arguments[0]), initialValue: 0, durability: .relaxed)
        if Moment.now > start {
            say("late")
            return
        }
        var none: [Poll.Entry] = []
        _ = try Poll.wait(&none, until: start)
        var turns = 0
        let before = try processorTime()
        while Moment.now < end {
            try file.update { $0 += 1 }
            turns += 1
        }
        let after = try processorTime()
        say("turns \(turns) \(after.own - before.own) \(after.all - before.all)")
    }

    /// How long this process, and how long any process, has had a processor: in hundredths of a second.
    private static func processorTime() throws -> (own: Int, all: Int) {
        var used = tms()
        _ = unsafe times(&used)
        // user nice system idle iowait irq softirq steal
        let fields = try ProcessTable.text("/proc/stat").split(separator: "\n").first?.split(separator: " ") ?? []
        let numbers = fields.compactMap { Int($0) }.prefix(8)
        let idle = numbers.dropFirst(3).prefix(2).reduce(0, +)
        return (used.tms_utime + used.tms_stime, numbers.reduce(0, +) - idle)
    }
}
