import FileEvents
import SystemCalls

/// Bounds how many awaited calls of all values are under way at once: each takes a thread, and descriptors while
/// it holds a lock. A program may have a task for each of thousands of values.
///
/// 1. A call *enters*, and begins at once unless many are under way.
/// 2. When one *leaves*, the one that has waited longest begins.
/// 3. If no call has left for a while, all may be blocked, maybe by one that waits here; so those under way no longer
///    count. The while doubles each time in a row that this happens; otherwise, on a machine that is just busy, all
///    calls would soon be under way. A call that takes very long does not count either.
final class CallGate: Sendable {
    /// A call gets one when it begins, and leaves with it, once.
    struct Ticket: Sendable {
        fileprivate let number: UInt64
        /// For a call that does not count.
        static let uncounted = Ticket(number: 0)
    }

    /// Begins a call; false if there is no longer a call to begin.
    typealias Begin = @Sendable (Ticket) -> Bool

    private enum Step {
        case begin(Begin, Ticket)
        case setAlarm(afterBlockades: Int)
        case nothing
    }

    private struct State {
        /// The tickets that count, and since when.
        var underWay: [(number: UInt64, since: Moment)] = []
        var lastNumber: UInt64 = 0
        private var newcomers: [Begin] = []
        /// The calls that came before the newcomers, the first one last.
        private var waiting: [Begin] = []
        var hasAlarm = false
        /// Whether a call that counted has left since the alarm was set.
        var hasMoved = false
        /// How often no call had left for a while, since the last time that one left that counted.
        var blockadesInARow = 0

        mutating func append(_ begin: @escaping Begin) { newcomers.append(begin) }

        mutating func next(most: Int) -> Step {
            if waiting.isEmpty {
                swap(&waiting, &newcomers)
                waiting.reverse()
            }
            if underWay.count < most, let begin = waiting.popLast(), let ticket = ticketIfFree(most: most) {
                return .begin(begin, ticket)
            }
            if waiting.isEmpty || hasAlarm { return .nothing }
            (hasAlarm, hasMoved) = (true, false)
            return .setAlarm(afterBlockades: blockadesInARow)
        }

        mutating func ticketIfFree(most: Int) -> Ticket? {
            if underWay.count >= most { return nil }
            lastNumber += 1
            underWay.append((lastNumber, .now))
            return Ticket(number: lastNumber)
        }

        /// False if the call did not count.
        mutating func remove(_ ticket: Ticket) -> Bool {
            guard let index = underWay.firstIndex(where: { $0.number == ticket.number }) else { return false }
            underWay.remove(at: index)
            return true
        }
    }

    static let shared = CallGate(most: 32, patience: .milliseconds(50))

    private static let longest = Duration.seconds(1)

    private let most: Int
    private let patience: Duration
    /// Guards all that changes; nothing is called under it.
    private let state = Guarded(State())

    var blockadesInARow: Int { state.withLock(\.blockadesInARow) }

    init(most: Int, patience: Duration) {
        self.most = most
        self.patience = patience
    }

    func enter(_ begin: @escaping Begin) {
        state.withLock { $0.append(begin) }
        beginNext()
    }

    /// For a call that does not wait: nil if many are under way.
    func enterIfFree() -> Ticket? { state.withLock { $0.ticketIfFree(most: most) } }

    func leave(_ ticket: Ticket) {
        state.withLock { state in
            if state.remove(ticket) { (state.hasMoved, state.blockadesInARow) = (true, 0) }
        }
        beginNext()
    }

    private func beginNext() {
        while true {
            switch state.withLock({ $0.next(most: most) }) {
            case .begin(let begin, let ticket):
                if !begin(ticket) { _ = state.withLock { $0.remove(ticket) } }
            case .setAlarm(let blockades):
                ThreadPool.shared.schedule(at: .now + patience(after: blockades)) { [weak self] in self?.alarmRang() }
            case .nothing: return
            }
        }
    }

    /// How long to wait for a call to leave; never longer than one call counts.
    private func patience(after blockades: Int) -> Duration {
        min(patience * (1 << min(blockades, 10)), max(patience, Self.longest))
    }

    private func alarmRang() {
        state.withLock { state in
            state.hasAlarm = false
            if state.hasMoved {
                let now = Moment.now
                state.underWay.removeAll { now - $0.since >= Self.longest }
            } else {
                state.underWay = []
                state.blockadesInARow += 1
            }
        }
        beginNext()
    }
}
