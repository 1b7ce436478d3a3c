import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Tasks that wait for each other without a thread.
struct AsyncMutexTests {
    @Test func firstComeFirstServed() async throws {
        let mutex = AsyncMutex()
        let served = Log<Int>()
        var permit: AsyncMutex.Permit? = try await mutex.acquire()
        for number in 0..<20 {
            Task {
                let permit = try await mutex.acquire()
                served.append(number)
                withExtendedLifetime(permit) {}
            }
            #expect(await eventually { mutex.waiterCount == number + 1 })
        }
        withExtendedLifetime(permit) {}
        permit = nil
        #expect(await served.wait { $0.count == 20 ? $0 : nil } == Array(0..<20))
    }

    @Test func whoIsCancelledOrLateLeavesTheQueue() async throws {
        let mutex = AsyncMutex()
        let permit = try await mutex.acquire()
        let cancelled = Task { _ = try await mutex.acquire() }
        #expect(await eventually { mutex.waiterCount == 1 })
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // One that is cancelled before it comes is not in the queue when that is told.
        let early = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            _ = try await mutex.acquire()
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        for timeout in [Duration.milliseconds(20), .zero, .seconds(-10_000_000_000)] {
            await #expect(throws: AsyncMutex.TimedOut.self) { try await mutex.acquire(timeout: timeout) }
        }
        #expect(mutex.waiterCount == 0)
        withExtendedLifetime(permit) {}
    }

    /// Waiting for the mutex and for the lock take no longer, together, than waiting for one of them.
    @Test func aPermitTellsWhatIsLeftOfTheTime() async throws {
        let mutex = AsyncMutex()
        let limit = Duration.testDeadline
        var permit: AsyncMutex.Permit? = try await mutex.acquire(timeout: limit)
        #expect(permit?.remaining == limit)
        let next = Task { try await mutex.acquire(timeout: limit).remaining }
        // More seconds than any clock counts are as good as none.
        let patient = Task { try await mutex.acquire(timeout: .seconds(9_223_372_037)).remaining }
        #expect(await eventually { mutex.waiterCount == 2 })
        permit = nil
        let left = try #require(try await next.value)
        #expect(left < limit && left > .zero)
        #expect(try await patient.value == .seconds(9_223_372_037))
    }

    private final class Room: Sendable {
        let inside = Guarded(0)
    }

    /// However cancels, deadlines and releases meet: one at a time has the mutex, and it is never lost.
    @Test(arguments: 0..<100)
    func theMutexIsNeverLostAmongCancels(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let mutex = AsyncMutex()
        let room = Room()
        let tasks = (0..<40).map { _ in
            let timeout = random.choose([
                nil, nil, .zero, Duration.microseconds(Int.random(in: 0..<500, using: &random)),
            ])
            let pauses = Int.random(in: 0..<3, using: &random)
            return Task {
                do {
                    let permit = try await mutex.acquire(timeout: timeout)
                    #expect(
                        room.inside.withLock { inside in
                            inside += 1
                            return inside == 1
                        })
                    for _ in 0..<pauses { await Task.yield() }
                    room.inside.withLock { $0 -= 1 }
                    withExtendedLifetime(permit) {}
                } catch is CancellationError {
                } catch is AsyncMutex.TimedOut {
                }
            }
        }
        for task in tasks where Bool.random(using: &random) {
            if Bool.random(using: &random) { await Task.yield() }
            task.cancel()
        }
        for task in tasks { try await task.value }
        #expect(mutex.waiterCount == 0)
        _ = try await mutex.acquire(timeout: .testDeadline)
    }
}
