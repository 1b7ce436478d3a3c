import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// How many awaited calls are under way at once.
@Suite(.endsInTime)
struct CallGateTests {
    private let begun = Log<Int>()
    private let tickets = Log<CallGate.Ticket>()

    private func enter(_ gate: CallGate, _ number: Int) {
        gate.enter { [begun, tickets] ticket in
            begun.append(number)
            tickets.append(ticket)
            return true
        }
    }

    @Test func theNextBeginsWhenOneLeaves() {
        let gate = CallGate(most: 2, patience: .seconds(3600))
        for number in 0..<5 { enter(gate, number) }
        #expect(begun.elements == [0, 1])
        gate.leave(tickets.elements[1])
        #expect(begun.elements == [0, 1, 2])
        gate.leave(tickets.elements[0])
        enter(gate, 5)
        gate.leave(tickets.elements[2])
        #expect(begun.elements == [0, 1, 2, 3, 4])
        gate.leave(tickets.elements[4])
        #expect(begun.elements == [0, 1, 2, 3, 4, 5])
    }

    /// Every call under way may be waiting for one that waits at the gate.
    @Test func whereNoneLeavesAllBeginInTheEnd() async {
        let gate = CallGate(most: 2, patience: .milliseconds(1))
        for number in 0..<20 { enter(gate, number) }
        // Calls that enter, and calls that the gate lets in, begin at the same time: their order varies.
        #expect(await begun.wait { $0.count == 20 ? $0.sorted() : nil } == Array(0..<20))
    }

    /// Otherwise, where calls are slow only because the machine is busy, a thousand would all be under way within
    /// seconds.
    @Test func eachTimeInARowItWaitsForTwiceAsLong() async {
        let gate = CallGate(most: 1, patience: .milliseconds(50))
        let start = Moment.now
        for number in 0..<4 { enter(gate, number) }
        #expect(await tickets.reach { $0.count == 4 })
        #expect(.now - start >= .milliseconds(50 + 100 + 200))
        // Once a call has left, the wait is as short as at first.
        gate.leave(tickets.elements[3])
        enter(gate, 4)
        enter(gate, 5)
        #expect(await begun.reach { $0 == [0, 1, 2, 3, 4, 5] })
        #expect(gate.blockadesInARow == 1)
    }

    /// Blocked calls hold up others once, not each later call anew.
    @Test func whatIsBlockedTakesUpNoPlace() async {
        let gate = CallGate(most: 2, patience: .milliseconds(1))
        for number in 0..<3 { enter(gate, number) }
        #expect(await begun.wait { $0.count == 3 ? $0 : nil } != nil)
        enter(gate, 3)
        #expect(begun.elements == [0, 1, 2, 3])
    }

    /// Otherwise blocked calls would hold up others for as long as calls that take no place come and go.
    @Test func onlyOneThatCountsMakesWayForAnother() async {
        let gate = CallGate(most: 1, patience: .milliseconds(200))
        for number in 0..<2 { enter(gate, number) }
        #expect(
            await eventually {
                gate.leave(.uncounted)
                return begun.elements == [0, 1]
            })
        #expect(gate.blockadesInARow == 1)
    }

    /// The other calls get all places back, although calls keep leaving in the meantime.
    @Test func oneThatTakesVeryLongDoesNotCountForEver() async {
        let gate = CallGate(most: 2, patience: .milliseconds(200))
        enter(gate, 0)
        var number = 0
        #expect(
            await eventually {
                let (first, second) = (number + 1, number + 2)
                for next in [first, second] { enter(gate, next) }
                number = second
                let isAlone = begun.elements.count == number + 1
                for next in [first, second] {
                    // The call may be about to begin on another thread.
                    guard let ticket = await tickets.wait(until: { $0.count > next ? $0[next] : nil }) else {
                        return false
                    }
                    gate.leave(ticket)
                }
                return isAlone
            })
    }

    @Test func whatNeedNotBeginAnyMoreLeavesItsPlaceToTheNext() {
        let gate = CallGate(most: 1, patience: .seconds(3600))
        enter(gate, 0)
        for _ in 0..<100_000 { gate.enter { _ in false } }
        enter(gate, 1)
        gate.leave(tickets.elements[0])
        #expect(begun.elements == [0, 1])
        gate.leave(tickets.elements[1])
        gate.enter { _ in false }
        enter(gate, 2)
        #expect(begun.elements == [0, 1, 2])
    }

    @Test func whoDoesNotWaitBeginsWhereThereIsRoom() throws {
        let gate = CallGate(most: 1, patience: .seconds(3600))
        let ticket = try #require(gate.enterIfFree())
        #expect(gate.enterIfFree() == nil)
        enter(gate, 0)
        #expect(begun.elements == [])
        gate.leave(ticket)
        #expect(begun.elements == [0])
        #expect(gate.enterIfFree() == nil)
        gate.leave(tickets.elements[0])
        #expect(gate.enterIfFree() != nil)
    }

    /// Tasks that change hundreds of values at once exhaust neither threads nor descriptors.
    @Test func G8_tasksThatChangeManyValuesTakeFewDescriptors() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let container = try GroupContainer(directory: path)
        let files = try (0..<1000).map { try GroupFile("value\($0)", in: container, initialValue: 0) }
        let counts = Log<(descriptors: Int, isAfterBlockade: Bool)>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for file in files {
                group.addTask {
                    try await file.update { value throws(Errno) in
                        value += 1
                        counts.append((try Self.descriptors(below: path), CallGate.shared.blockadesInARow > 0))
                    }
                }
            }
            try await group.waitForAll()
        }
        for file in files { #expect(try await file.read() == 1) }
        // One for each call, and those of locks that are kept open or are just being closed: all share the same
        // directories. Where the machine is busy, no call may leave for a while: then the first call that begins
        // afterwards sees it.
        let groups = 2 + counts.elements.count(where: \.isAfterBlockade)
        #expect(try #require(counts.elements.map(\.descriptors).max()) < 2 * 32 * groups)
    }

    /// For example, many updates each change another value within their bodies: the inner calls, for which the updates
    /// wait, need no place.
    @Test(arguments: [false, true])
    func whoIsWithinAnUpdateDoesNotWait(isWithinUpdate: Bool) async throws {
        // Twice as many as there are places, so that some wait.
        for number in 0..<64 { enter(.shared, number) }
        let queue = CallQueue()
        let call = CallQueue.Call(place: queue.newPlace(), isWithinUpdate: isWithinUpdate) { [begun] turn in
            turn.release()
            begun.append(-1)
        } fail: {
            Issue.record($0)
        }
        #expect(!queue.enter(call, unless: { false }))
        // Unless this test was suspended for so long that all of the others have begun.
        let waitingCount = queue.waitingCount
        let isLate = begun.elements.contains(63)
        #expect(waitingCount == (isWithinUpdate ? 0 : 1) || isLate)
        #expect(await begun.wait { $0.count == 65 ? $0 : nil } != nil)
        for ticket in tickets.elements { CallGate.shared.leave(ticket) }
        #expect(await eventually { queue.isFree })
        let file = try GroupFile("v", in: .inMemory(), initialValue: false)
        try await file.update { $0 = UpdateScope.isWithinAny }
        #expect(file.value)
        #expect(!UpdateScope.isWithinAny)
    }

    private static func descriptors(below path: String) throws(Errno) -> Int {
        var count = 0
        for name in try Directory(path: "/proc/self/fd").names() {
            do throws(Errno) {
                if try Path.linkTarget(of: "/proc/self/fd/\(name)").hasPrefix(path) { count += 1 }
            } catch .noEntry {
                // Closed meanwhile.
            }
        }
        return count
    }
}
