import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Tasks that wait for each other without a thread.
struct TaskTurnTests {
    @Test func firstComeFirstServed() async throws {
        let turn = TaskTurn()
        let served = Log<Int>()
        var permit: TaskTurn.Permit? = try await turn.take()
        for number in 0..<20 {
            Task {
                let permit = try await turn.take()
                served.append(number)
                withExtendedLifetime(permit) {}
            }
            #expect(await eventually { turn.waiterCount == number + 1 })
        }
        withExtendedLifetime(permit) {}
        permit = nil
        #expect(await served.wait { $0.count == 20 ? $0 : nil } == Array(0..<20))
    }

    @Test func whoIsCancelledOrLateLeavesTheQueue() async throws {
        let turn = TaskTurn()
        let permit = try await turn.take()
        let cancelled = Task { _ = try await turn.take() }
        #expect(await eventually { turn.waiterCount == 1 })
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // One that is cancelled before it comes is not in the queue when that is told.
        let early = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            _ = try await turn.take()
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        for timeout in [Duration.milliseconds(20), .zero, .seconds(-10_000_000_000)] {
            await #expect(throws: TaskTurn.TimedOut.self) { try await turn.take(timeout: timeout) }
        }
        #expect(turn.waiterCount == 0)
        withExtendedLifetime(permit) {}
    }

    /// Waiting for the turn and for the lock take no longer, together, than waiting for one of them.
    @Test func aPermitTellsWhatIsLeftOfTheTime() async throws {
        let turn = TaskTurn()
        let limit = Duration.testDeadline
        var permit: TaskTurn.Permit? = try await turn.take(timeout: limit)
        #expect(permit?.remaining == limit)
        let next = Task { try await turn.take(timeout: limit).remaining }
        // More seconds than any clock counts are as good as none.
        let patient = Task { try await turn.take(timeout: .seconds(9_223_372_037)).remaining }
        #expect(await eventually { turn.waiterCount == 2 })
        permit = nil
        let left = try #require(try await next.value)
        #expect(left < limit && left > .zero)
        #expect(try await patient.value == .seconds(9_223_372_037))
    }

    private final class Room: Sendable {
        let inside = Guarded(0)
    }

    /// However cancels, deadlines and the giving on meet: one at a time has the turn, and it is never lost.
    @Test(arguments: 0..<100)
    func noTurnIsLostAmongCancels(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let turn = TaskTurn()
        let room = Room()
        let tasks = (0..<40).map { _ in
            let timeout = random.choose([
                nil, nil, .zero, Duration.microseconds(Int.random(in: 0..<500, using: &random)),
            ])
            let pauses = Int.random(in: 0..<3, using: &random)
            return Task {
                do {
                    let permit = try await turn.take(timeout: timeout)
                    #expect(
                        room.inside.withLock { inside in
                            inside += 1
                            return inside == 1
                        })
                    for _ in 0..<pauses { await Task.yield() }
                    room.inside.withLock { $0 -= 1 }
                    withExtendedLifetime(permit) {}
                } catch is CancellationError {
                } catch is TaskTurn.TimedOut {
                }
            }
        }
        for task in tasks where Bool.random(using: &random) {
            if Bool.random(using: &random) { await Task.yield() }
            task.cancel()
        }
        for task in tasks { try await task.value }
        #expect(turn.waiterCount == 0)
        _ = try await turn.take(timeout: .testDeadline)
    }
}
