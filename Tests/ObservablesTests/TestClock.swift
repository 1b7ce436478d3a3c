import SystemCalls
import TestSupport

/// A clock that moves only when a test advances it.
final class TestClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        var sleepers: [Sleeper] = []
    }

    private let state = Guarded(State())
    /// The time, in seconds, until which each sleeper sleeps, in the order in which they began.
    let sleeps = Log<Int>()

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func advance(bySeconds seconds: Int) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: .seconds(seconds))
            let now = state.now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isDue = state.withLock { state in
                    if deadline <= state.now { return true }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    return false
                }
                if isDue { continuation.resume() }
                if Task.isCancelled { cancel(id) }
                sleeps.append(Int(deadline.offset.components.seconds))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let continuation = state.withLock { state in
            let index = state.sleepers.firstIndex { $0.id == id }
            return index.map { state.sleepers.remove(at: $0).continuation }
        }
        continuation?.resume(throwing: CancellationError())
    }
}
