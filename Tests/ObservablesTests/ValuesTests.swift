import Dispatch
import Observables
import TestSupport
import Testing

@Suite(.endsInTime) struct ValuesTests {
    enum Source: CaseIterable, Sendable {
        case subject, map, filter, receive, throttle

        func values(_ subject: ValueSubject<Int>) -> ValueSequence<Int> {
            switch self {
            case .subject: subject.values
            case .map: subject.map { $0 }.values
            case .filter: subject.filter { _ in true }.values
            case .receive: subject.receive(on: DispatchQueue(label: "test.values")).values
            case .throttle: subject.throttle(for: .zero).values
            }
        }
    }

    @Test(arguments: Source.allCases)
    func valuesNeverLoseTheLast(_ source: Source) async {
        for _ in 0..<(source == .subject ? 2_000 : 400) {
            let subject = ValueSubject(0)
            let reading = Task {
                var seen: [Int] = []
                for await value in source.values(subject) {
                    seen.append(value)
                    if value == 5 { break }
                }
                return seen
            }
            DispatchQueue.global().async {
                for value in 1...5 { subject.send(value) }
            }
            let seen = await reading.value
            #expect(seen.last == 5)
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test(arguments: Source.allCases)
    func valuesBeginWithTheCurrentOneAndKeepTheNewest(_ source: Source) async {
        let subject = ValueSubject(1)
        var iterator = source.values(subject).makeAsyncIterator()
        #expect(await iterator.next() == 1)
        subject.send(2)
        #expect(await iterator.next() == 2)
    }

    @Test func valuesKeepTheNewestOnly() async {
        let subject = ValueSubject(1)
        var iterator = subject.filter { $0 < 100 }.values.makeAsyncIterator()
        for value in 2...200 { subject.send(value) }
        #expect(await iterator.next() == 99)
    }

    @Test(arguments: [false, true]) @MainActor
    func duplicatesStayAwayFromALoop(receives: Bool) async {
        let subject = ValueSubject("A")
        let queue = DispatchQueue(label: "test.values")
        let distinct = subject.removeDuplicates()
        var iterator = (receives ? distinct.receive(on: queue) : distinct).values.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == "A")
        queue.sync {}
        for value in ["B", "A"] {
            subject.send(value)
            for _ in 0..<2 { queue.sync {} }
        }
        // The task does not send before the loop waits.
        Task { subject.send("C") }
        #expect(await iterator.next(isolation: #isolation) == "C")
    }

    @Test(arguments: Source.allCases)
    func valuesEndWithTheTask(_ source: Source) async {
        let subject = ValueSubject(1)
        let log = Log<Int>()
        let reading = Task {
            var iterator = source.values(subject).makeAsyncIterator()
            while let value = await iterator.next() { log.append(value) }
            return await iterator.next() == nil
        }
        #expect(await log.reach { $0 == [1] })
        reading.cancel()
        #expect(await reading.value)
    }

    @Test func anIteratorThatGoesLeavesNothingBehind() async {
        let subject = ValueSubject(1)
        let released = Log<Bool>()
        await readOne(of: subject, Token { released.append(true) })
        #expect(await released.reach { $0 == [true] })
        withExtendedLifetime(subject) {}
    }

    private func readOne(of subject: ValueSubject<Int>, _ token: Token) async {
        let values = subject.filter { _ in
            token.touch()
            return true
        }.values
        for await value in values {
            #expect(value == 1)
            break
        }
    }

    @Test @MainActor func aLoopStaysInItsIsolation() async {
        let subject = ValueSubject(0)
        var seen: [Int] = []
        for await value in subject.values {
            MainActor.assertIsolated()
            seen.append(value)
            if value == 3 { break }
            DispatchQueue.global().async { subject.send(value + 1) }
        }
        #expect(seen == [0, 1, 2, 3])
    }

    // MARK: first

    @Test func firstAlreadyTrueReturnsAtOnce() async throws {
        let subject = ValueSubject(7)
        #expect(try await subject.first { $0 == 7 } == 7)
        let clock = TestClock()
        #expect(try await subject.first(timeout: .zero, clock: clock) { $0 == 7 } == 7)
        // Nor does anything begin to sleep: a sleep would occupy memory until the time is up.
        for _ in 0..<500 {
            #expect(try await subject.first(timeout: .seconds(5), clock: clock) { $0 == 7 } == 7)
        }
        #expect(clock.sleeps.elements == [])
    }

    @Test func firstMissesNothing() async throws {
        for _ in 0..<1_000 {
            let subject = ValueSubject(0)
            DispatchQueue.global().async {
                for value in 1...3 { subject.send(value) }
            }
            #expect(try await subject.first { $0 >= 3 } == 3)
        }
    }

    @Test func firstTimesOut() async {
        let subject = ValueSubject(0)
        let clock = TestClock()
        let waiting = Task { try await subject.first(timeout: .seconds(5), clock: clock) { $0 == 1 } }
        #expect(await clock.sleeps.reach { $0 == [5] })
        clock.advance(bySeconds: 5)
        await #expect(throws: TimedOut(timeout: .seconds(5))) { try await waiting.value }
    }

    /// Nor is the predicate called at the deadline while another thread is still in it.
    @Test func firstAsksOneAtATime() async {
        let subject = ValueSubject(0)
        let clock = TestClock()
        let asked = Log<Int>()
        let goOn = Gate()
        let waiting = Task {
            try await subject.first(timeout: .seconds(5), clock: clock) { value in
                asked.append(value)
                if asked.elements == [0, 1] { goOn.wait() }
                return false
            }
        }
        #expect(await clock.sleeps.reach { $0 == [5] })
        let sender = DispatchQueue(label: "test.sender")
        sender.async { subject.send(1) }
        #expect(await asked.reach { $0 == [0, 1] })
        clock.advance(bySeconds: 5)
        await #expect(throws: TimedOut.self) { try await waiting.value }
        #expect(asked.elements == [0, 1])
        goOn.open()
        sender.sync {}
    }

    @Test func firstInTimeEndsItsTimer() async throws {
        let subject = ValueSubject(0)
        let clock = TestClock()
        let waiting = Task { try await subject.first(timeout: .seconds(5), clock: clock) { $0 == 1 } }
        #expect(await clock.sleeps.reach { $0 == [5] })
        subject.send(1)
        #expect(try await waiting.value == 1)
        #expect(clock.sleeperCount == 0)
    }

    @Test func noTimeoutIsTooLongOrTooShort() async throws {
        for seconds in [Int64.max, 1 << 40] {
            let subject = ValueSubject(0)
            async let found = subject.first(timeout: .seconds(seconds)) { $0 == 1 }
            // The long timeout is running meanwhile.
            await #expect(throws: TimedOut.self) { try await subject.first(timeout: .milliseconds(50)) { $0 == 1 } }
            subject.send(1)
            #expect(try await found == 1)
        }
        for seconds in [Int64.min, -1, 0] {
            let subject = ValueSubject(0)
            await #expect(throws: TimedOut.self) { try await subject.first(timeout: .seconds(seconds)) { $0 == 1 } }
        }
    }

    @Test func firstInTimeIsNotTimedOutAfterwards() async throws {
        for _ in 0..<200 {
            let subject = ValueSubject(0)
            let clock = TestClock()
            let waiting = Task { try await subject.first(timeout: .seconds(5), clock: clock) { $0 == 1 } }
            #expect(await clock.sleeps.reach { $0 == [5] })
            subject.send(1)
            clock.advance(bySeconds: 5)
            #expect(try await waiting.value == 1)
        }
    }

    /// Has a value, but never delivers it to a subscriber.
    private struct Late: ObservableValue {
        let value = 1

        func sink(on queue: DispatchQueue?, _ handler: @escaping @Sendable (Int) -> Void) -> Subscription {
            Subscription { _ in }
        }
    }

    @Test func firstFindsInTimeWhatIsDeliveredTooLate() async throws {
        let clock = TestClock()
        let waiting = Task { try await Late().first(timeout: .seconds(5), clock: clock) { $0 == 1 } }
        #expect(await clock.sleeps.reach { $0 == [5] })
        clock.advance(bySeconds: 5)
        #expect(try await waiting.value == 1)
    }

    @Test func firstEndsWithItsTask() async {
        let waiting = Task { try await ValueSubject(0).first { $0 == 1 } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
