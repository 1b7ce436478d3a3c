import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Calls that wait for each other without occupying a thread.
@Suite(.endsInTime)
struct CallQueueTests {
    private func takeTurn(of queue: CallQueue) async throws -> CallQueue.Turn {
        try await BlockingCall.run(in: queue) { _, turn in turn }
    }

    @Test func firstComeFirstServed() async throws {
        let queue = CallQueue()
        let served = Log<Int>()
        let turn = try await takeTurn(of: queue)
        for number in 0..<20 {
            Task {
                try await BlockingCall.run(in: queue) { _, turn in
                    served.append(number)
                    turn.release()
                }
            }
            #expect(await eventually { queue.waitingCount == number + 1 })
        }
        turn.release()
        #expect(await served.wait { $0.count == 20 ? $0 : nil } == Array(0..<20))
        #expect(await eventually { queue.isFree })
    }

    /// A call that starts over may be about to continue, if its actor is reached. Another actor is not held up by that.
    @Test func whoDoesNotWaitGoesAheadOfNobodyWhoStartsOver() throws {
        let queue = CallQueue(gate: CallGate(most: 1, patience: .seconds(3600)))
        let (actor, other) = (QueueOwner(), QueueOwner())
        let (first, second, third) = (place(in: queue, actor), place(in: queue, actor), place(in: queue, actor))
        let (others, nobodys) = (place(in: queue, other), queue.newPlace())
        queue.noteReturning(first)
        queue.noteReturning(first)
        queue.noteReturning(third)
        #expect(queue.takeIfFree(second) == nil)
        for free in [others, nobodys] {
            let turn = try #require(queue.takeIfFree(free))
            #expect(turn.isFirst)
            turn.release()
        }
        let turn = try #require(queue.takeIfFree(first))
        queue.forgetReturning(first)
        #expect(queue.takeIfFree(second) == nil)
        turn.release()
        try #require(queue.takeIfFree(second)).release()
        #expect(queue.isFree)
    }

    private func place(in queue: CallQueue, _ actor: QueueOwner) -> CallQueue.Place {
        queue.newPlace(of: ObjectIdentifier(actor))
    }

    /// However many calls wait, and wherever in the queue some leave.
    @Test func thousandsKeepTheirOrder() async throws {
        let queue = CallQueue()
        let served = Log<Int>()
        let turn = try await takeTurn(of: queue)
        let places = (0..<5000).map { _ in queue.newPlace() }
        for (number, place) in places.enumerated().shuffled() {
            let call = CallQueue.Call(place: place) { turn in
                served.append(number)
                turn.release()
            } fail: {
                Issue.record($0)
            }
            #expect(queue.enter(call, unless: { false }))
        }
        #expect(queue.waitingCount == 5000)
        for (number, place) in places.enumerated() where number.isMultiple(of: 3) { #expect(queue.leave(place)) }
        #expect(!queue.leave(places[0]))
        turn.release()
        let rest = (0..<5000).filter { !$0.isMultiple(of: 3) }
        #expect(await served.wait { $0.count == rest.count ? $0 : nil } == rest)
    }

    /// A deadline that fires late tries to remove a call that has ended: another call may have taken its place
    /// meanwhile.
    @Test func whoHasEndedTakesNobodyElseOut() async throws {
        let queue = CallQueue()
        let served = Gate()
        let turn = try await takeTurn(of: queue)
        let place = queue.newPlace()
        let call = CallQueue.Call(place: place) { turn in
            served.open()
            turn.release()
        } fail: {
            Issue.record($0)
        }
        #expect(queue.enter(call, unless: { false }))
        try #require(!queue.leave(place, unless: { true }))
        turn.release()
        #expect(await served.opened())
    }

    @Test func whoComesBackHasItsOldPlace() async throws {
        let queue = CallQueue()
        let served = Log<Int>()
        let place = queue.newPlace()
        let turn = try await BlockingCall.run(in: queue, at: place) { _, turn in turn }
        let numbers = [1, 2, 0]
        let tasks = numbers.enumerated().map { count, number in
            Task {
                while queue.waitingCount < count { await Task.yield() }
                try await BlockingCall.run(in: queue, at: number == 0 ? place : nil) { _, turn in
                    served.append(number)
                    turn.release()
                }
            }
        }
        #expect(await eventually { queue.waitingCount == 3 })
        turn.release()
        for task in tasks { try await task.value }
        #expect(served.elements == [0, 1, 2])
    }

    @Test func whoIsCancelledOrLateLeavesTheQueue() async throws {
        let queue = CallQueue()
        let turn = try await takeTurn(of: queue)
        let cancelled = Task { _ = try await takeTurn(of: queue) }
        #expect(await eventually { queue.waitingCount == 1 })
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // A call that is cancelled before it enters is no longer in the queue when it throws.
        let early = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            _ = try await takeTurn(of: queue)
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        for timeout in [Duration.milliseconds(20), .zero, .seconds(-10_000_000_000)] {
            await #expect(throws: BlockingCall.TimedOut.self) {
                _ = try await BlockingCall.run(in: queue, timeout: timeout) { _, turn in turn }
            }
        }
        #expect(queue.waitingCount == 0)
        turn.release()
        #expect(queue.isFree)
    }

    /// Waiting for the turn and then for the lock shares one timeout.
    @Test func aCallKnowsWhatIsLeftOfItsTime() async throws {
        let queue = CallQueue()
        let limit = Duration.testDeadline
        let turn = try await takeTurn(of: queue)
        let next = Task { try await remaining(of: limit, in: queue) }
        // A timeout of more seconds than any clock counts is as good as no timeout.
        let patient = Task { try await remaining(of: .seconds(9_223_372_037), in: queue) }
        #expect(await eventually { queue.waitingCount == 2 })
        let before = Moment.now
        #expect(await eventually { Moment.now > before + .milliseconds(20) })
        turn.release()
        let left = try #require(try await next.value)
        #expect(left <= limit - .milliseconds(20) && left > .zero)
        #expect(try await patient.value == nil)
    }

    private func remaining(of timeout: Duration, in queue: CallQueue) async throws -> Duration? {
        try await BlockingCall.run(in: queue, timeout: timeout) { call, turn in
            turn.release()
            return call.remaining
        }
    }

    private final class Room: Sendable {
        let inside = Guarded(0)
    }

    /// However cancels, deadlines and releases coincide: one call at a time has the turn, and the turn is never lost.
    @Test(arguments: 0..<100)
    func theTurnIsNeverLostAmongCancels(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let queue = CallQueue()
        let room = Room()
        let tasks = (0..<40).map { _ in
            let timeout = random.choose([
                nil, nil, .zero, Duration.microseconds(Int.random(in: 0..<500, using: &random)),
            ])
            let pauses = Int.random(in: 0..<3, using: &random)
            let comesBack = Bool.random(using: &random)
            return Task {
                let place = queue.newPlace()
                for _ in 0..<(comesBack ? 2 : 1) {
                    do {
                        let turn = try await BlockingCall.run(in: queue, at: place, timeout: timeout) { call, turn in
                            #expect(room.inside.increment() == 1)
                            if call.beginWork() { return turn }
                            room.inside.withLock { $0 -= 1 }
                            turn.release()
                            throw CancellationError()
                        }
                        for _ in 0..<pauses { await Task.yield() }
                        room.inside.withLock { $0 -= 1 }
                        turn.release()
                    } catch is CancellationError {
                    } catch is BlockingCall.TimedOut {
                    }
                }
            }
        }
        for task in tasks where Bool.random(using: &random) {
            if Bool.random(using: &random) { await Task.yield() }
            task.cancel()
        }
        for task in tasks { try await task.value }
        #expect(queue.waitingCount == 0)
        // A call that was cancelled when its turn had come may still be about to release the turn.
        try await takeTurn(of: queue).release()
        #expect(queue.isFree)
    }
}
