import GroupFiles
import SystemCalls

/// COUNT sinks of one file, the first BLOCKED of which (none unless given) block for a while in each call. For each
/// value that all other sinks were told, prints `counter first last`: when the first handler was called, and when the
/// last of the others was.
///
///     benchmarks audience TARGET COUNT [BLOCKED]
enum Audience {
    /// Longer than a subscriber may hold up others.
    private static let block = Duration.milliseconds(12)

    static func run(_ operands: Operands) throws {
        let target = try operands.target()
        let count: Int = try operands.number(1, "COUNT", in: 1...1_000_000)
        let blocked: Int = try operands.isGiven(2) ? operands.number(2, "BLOCKED", in: 0...count - 1) : 0
        let file = try Sample.file(target, .readOnly)
        let tally = Tally(count - blocked)
        let subscriptions = (0..<count).map { number in
            file.sink { value in
                tally.heard(value.counter, counts: number >= blocked)
                if number < blocked { _ = Semaphore().wait(until: .now + block) }
            }
        }
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

    func heard(_ counter: Int64, counts: Bool) {
        let now = Moment.now.nanoseconds
        let first = state.withLock { state -> Int64? in
            // If a newer value has come meanwhile, not all were told the older one.
            if counter < state.counter { return nil }
            if counter > state.counter { state = State(counter: counter, heard: 0, first: now) }
            guard counts else { return nil }
            state.heard += 1
            return state.heard == count ? state.first : nil
        }
        if let first { Benchmarks.say("\(counter) \(first) \(now)") }
    }
}
