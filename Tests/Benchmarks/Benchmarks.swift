import Dispatch
import Glibc
import GroupFiles

/// The value that the floor's programs exchange.
struct Sample: Codable, Sendable {
    var counter: Int64
    var sent: Int64
    var note: String
}

/// A viewer and a writer made of the public API, to be run beside programs in other languages that do the same.
///
///     benchmarks viewer TARGET [sink|values]
///     benchmarks writer TARGET RATE COUNT FIRST [relaxed|consistent|durable]
@main
enum Benchmarks {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "viewer" where arguments.count >= 2:
            try await view(arguments[1], with: arguments.count > 2 ? arguments[2] : "sink")
        case "writer" where arguments.count >= 5:
            try write(arguments)
        default:
            print("usage: benchmarks viewer TARGET [sink|values]")
            print("       benchmarks writer TARGET RATE COUNT FIRST [relaxed|consistent|durable]")
            exit(64)
        }
    }

    static func open(
        _ target: String, _ access: Access, _ durability: Durability = .consistent
    ) throws -> GroupFile<Sample> {
        let slash = target.lastIndex(of: "/") ?? target.startIndex
        let container = try GroupContainer(directory: String(target[..<slash]), access: access)
        return try GroupFile(
            String(target[target.index(after: slash)...]), in: container,
            initialValue: Sample(counter: 0, sent: 0, note: "none"), access: access, durability: durability)
    }

    /// Prints `counter received sent` for each value, with one write(2) a line.
    static func view(_ target: String, with kind: String) async throws {
        let file = try open(target, .readOnly)
        if kind == "values" {
            for await sample in file.values { report(sample) }
        } else {
            let subscription = file.sink { report($0) }
            while true { pause() }
            subscription.cancel()
        }
    }

    static func report(_ sample: Sample) {
        let now = monotonicNanoseconds()
        let line = Array("\(sample.counter) \(now) \(sample.sent)\n".utf8)
        _ = unsafe Glibc.write(1, line, line.count)
    }

    /// Writes COUNT values at RATE a second, 0 for as fast as it goes; then prints when each was begun and done.
    static func write(_ arguments: [String]) throws {
        guard let rate = Double(arguments[2]), let count = Int64(arguments[3]), let first = Int64(arguments[4]) else {
            exit(64)
        }
        let durability = arguments.count > 5 ? Durability(rawValue: arguments[5]) ?? .relaxed : .relaxed
        let file = try open(arguments[1], .readWrite, durability)
        let longest = unsafe getenv("BENCH_MAXSEC").flatMap { unsafe Double(String(cString: $0)) } ?? 1e9
        var log: [(Int64, Int64)] = []
        let start = monotonicNanoseconds()
        var next = start
        for index in 0..<count {
            if rate > 0 {
                next += Int64(1e9 / rate * Double.random(in: 0.5..<1.5))
                let rest = next - monotonicNanoseconds()
                if rest > 0 {
                    var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
                    unsafe nanosleep(&time, nil)
                }
            }
            let sent = monotonicNanoseconds()
            if rate <= 0, Double(sent - start) > longest * 1e9 { break }
            try file.write(Sample(counter: first + index, sent: sent, note: "lamp"))
            log.append((sent, monotonicNanoseconds()))
        }
        var text = ""
        for (index, entry) in log.enumerated() { text += "\(first + Int64(index)) \(entry.0) \(entry.1)\n" }
        print(text, terminator: "")
    }

    static func monotonicNanoseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
