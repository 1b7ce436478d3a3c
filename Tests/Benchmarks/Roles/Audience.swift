import GroupFiles
import SystemCalls

/// COUNT sinks of one file. Prints `counter first last` for each value that all of them were told: when the first one was
/// called, and when the last.
///
///     benchmarks audience TARGET COUNT
enum Audience {
    static func run(_ operands: Operands) throws {
        let target = try operands.target()
        let count: Int = try operands.number(1, "COUNT", in: 1...1_000_000)
        let file = try Sample.file(target, .readOnly)
        let tally = Tally(count)
        let subscriptions = (0..<count).map { _ in file.sink { tally.heard($0.counter) } }
        try withExtendedLifetime(subscriptions) { try Viewer.park() }
    }
}

private final class Tally: Sendable {
    private struct State {
        var counter: Int64 = -1
        var heard = 0
        var first: Int64 = 0
    }

    private let count: Int
    private let state = Guarded(State())

    init(_ count: Int) {
        self.count = count
    }

    func heard(_ counter: Int64) {
        let now = Moment.now.nanoseconds
        let first = state.withLock { state -> Int64? in
            // Where a newer value has come meanwhile, the older one was not told to all.
            if counter < state.counter { return nil }
            if counter > state.counter { state = State(counter: counter, heard: 0, first: now) }
            state.heard += 1
            return state.heard == count ? state.first : nil
        }
        if let first { Benchmarks.say("\(counter) \(first) \(now)") }
    }
}
