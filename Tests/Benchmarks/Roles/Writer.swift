import CFloor
import GroupFiles
import SystemCalls

/// Writes COUNT values at RATE a second, 0 for as fast as it goes; then prints `counter sent done` for each.
///
///     benchmarks writer TARGET RATE COUNT FIRST [relaxed|consistent|durable]
enum Writer {
    private enum Promise: String, CaseIterable {
        case relaxed, consistent, durable

        var durability: Durability {
            switch self {
            case .relaxed: .relaxed
            case .consistent: .consistent
            case .durable: .durable
            }
        }
    }

    static func run(_ operands: Operands) throws {
        let target = try operands.target()
        let series = try Series(operands)
        let (rate, first) = (series.rate, series.first)
        let promise: Promise = try operands.choice(4, "the durability")
        let file = try Sample.file(target, .readWrite, promise.durability)
        let longest = longestBurst
        var log: [(Int64, Int64)] = []
        let start = Moment.now.nanoseconds
        var next = start
        for index in 0..<series.count {
            if rate > 0 {
                next += Int64(1e9 / rate * Double.random(in: 0.5..<1.5))
                cf_sleep_until(next)
            }
            let sent = Moment.now.nanoseconds
            if rate == 0, Double(sent - start) > longest * 1e9 { break }
            try file.write(Sample(counter: first + Int64(index), sent: sent, note: "lamp"))
            log.append((sent, Moment.now.nanoseconds))
        }
        var text = ""
        for (index, entry) in log.enumerated() { text += "\(first + Int64(index)) \(entry.0) \(entry.1)\n" }
        try StandardStream.output.writeAll(Array(text.utf8))
    }

    /// For how many seconds a writer that writes as fast as it can goes on: BENCH_MAXSEC.
    static var longestBurst: Double {
        CurrentProcess.environmentBytes("BENCH_MAXSEC").flatMap { Double(String(decoding: $0, as: UTF8.self)) } ?? 1e9
    }
}
