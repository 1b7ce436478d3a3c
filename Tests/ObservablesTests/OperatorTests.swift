import Dispatch
import Observables
import SystemCalls
import Testing

@Suite(.timeLimit(.minutes(1))) struct OperatorTests {
    struct Chain: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sends: [Int]
        let expected: [Int]
        let make: @Sendable (ValueSubject<Int>) -> DerivedStream<Int>

        init(
            _ name: String,
            _ sends: [Int],
            _ expected: [Int],
            _ make: @escaping @Sendable (ValueSubject<Int>) -> DerivedStream<Int>
        ) {
            testDescription = name
            self.sends = sends
            self.expected = expected
            self.make = make
        }
    }

    static let chains = [
        Chain("filter has no first value until one passes", [1, 2, 3, 4], [2, 4]) { subject in
            subject.filter { $0 > 0 && $0.isMultiple(of: 2) }
        },
        Chain("filter lets the current value through", [1, 2], [0, 2]) { $0.filter { $0.isMultiple(of: 2) } },
        Chain("removeDuplicates", [0, 1, 1, 2, 1], [0, 1, 2, 1]) { $0.removeDuplicates() },
        Chain("removeDuplicates by", [3, 10, 15, 9], [0, 10, 9]) { $0.removeDuplicates { $0 / 10 == $1 / 10 } },
        Chain("map, then filter", [1, 2, 3], [2, 4, 6]) { $0.map { $0 * 2 }.filter { $0 > 0 } },
        Chain("filter, then map", [1, 2, 3], [20, 30]) { $0.filter { $0 > 1 }.map { $0 * 10 } },
    ]

    @Test(arguments: chains)
    func chain(_ chain: Chain) {
        let subject = ValueSubject(0)
        let log = Log<Int>()
        let stream = chain.make(subject)
        let subscription = stream.sink { log.append($0) }
        // A description can be used twice; each subscription has state of its own.
        let second = Log<Int>()
        let secondSubscription = stream.sink { second.append($0) }
        for value in chain.sends { subject.send(value) }
        #expect(log.elements == chain.expected)
        #expect(second.elements == chain.expected)
        subscription.cancel()
        secondSubscription.cancel()
    }

    @Test func equalityIsJudgedAtDelivery() {
        let subject = ValueSubject("A")
        let log = Log<String>()
        let subscription = subject.removeDuplicates().sink { value in
            log.append(value)
            if log.elements.count == 1 {
                subject.send("B")
                subject.send("A")
            }
        }
        #expect(log.elements == ["A"])
        subject.send("B")
        #expect(log.elements == ["A", "B"])
        subscription.cancel()
    }

    @Test func mapHasTheValueToo() {
        let subject = ValueSubject(2)
        let doubled = subject.map { $0 * 2 }.map { "\($0)" }
        #expect(doubled.value == "4")
        subject.value = 4
        #expect(doubled.value == "8")
        let any: any ObservableValue<String> = doubled
        #expect(any.value == "8")
    }

    @Test func receiveBringsWhatFollowsToTheQueue() {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "test.receive")
        queue.setSpecific(key: key, value: true)
        let subject = ValueSubject(0)
        let log = Log<[Bool]>()
        let here: @Sendable () -> Bool = { DispatchQueue.getSpecific(key: key) == true }
        let subscription =
            subject
            .map { _ in here() }
            .receive(on: queue)
            .map { [$0, here()] }
            .sink { log.append($0 + [here()]) }
        #expect(log.wait { $0 == [[false, true, true]] })
        subscription.cancel()
    }

    @Test func cancellingEndsWhatStandsBeforeTheQueueToo() {
        let subject = ValueSubject(0)
        let queue = DispatchQueue(label: "test.queue")
        let log = Log<Int>()
        @Sendable func record(_ value: Int) -> Int {
            log.append(value)
            return value
        }
        let subscriptions = [
            subject.map { record($0) }.sink(on: queue) { _ in },
            subject.map { record($0) }.receive(on: queue).sink { _ in },
        ]
        for subscription in subscriptions { subscription.cancel() }
        subject.send(1)
        #expect(log.elements == [0, 0])
    }

    enum Step: Sendable {
        case send(Int)
        case advance(Int)
        /// Waits until the operator sleeps until that second.
        case sleeps(Int)
        /// Waits until so many values have been seen: who is called when is part of the promise.
        case sees([Int])
    }

    enum Timed: Sendable {
        case debounce, throttleLatest, throttleFirst

        func stream(_ subject: ValueSubject<Int>, _ clock: TestClock) -> DerivedStream<Int> {
            switch self {
            case .debounce: subject.debounce(for: .seconds(10), clock: clock)
            case .throttleLatest: subject.throttle(for: .seconds(10), clock: clock)
            case .throttleFirst: subject.throttle(for: .seconds(10), latest: false, clock: clock)
            }
        }
    }

    static let scripts: [(Timed, [Step])] = [
        (.debounce, [.sleeps(10), .sees([]), .advance(10), .sees([0])]),
        (
            .debounce,
            [
                .sleeps(10), .advance(5), .send(1), .advance(5), .sleeps(15), .sees([]), .advance(4), .sees([]),
                .send(2), .advance(1), .sleeps(24), .advance(9), .sees([2]), .send(3), .sleeps(34), .advance(100),
                .sees([2, 3]),
            ]
        ),
        (.debounce, [.sleeps(10), .send(1), .send(2), .send(0), .advance(10), .sees([0])]),
        (
            .throttleLatest,
            [
                .sees([0]), .advance(1), .send(1), .sleeps(10), .send(2), .send(3), .sees([0]), .advance(9),
                .sees([0, 3]), .send(4), .sleeps(20), .sees([0, 3]), .advance(10), .sees([0, 3, 4]),
            ]
        ),
        (
            .throttleLatest,
            [.sees([0]), .advance(10), .send(1), .sees([0, 1]), .advance(50), .send(2), .sees([0, 1, 2])]
        ),
        (
            .throttleFirst,
            [
                .sees([0]), .advance(1), .send(1), .sleeps(10), .send(2), .send(3), .advance(9), .sees([0, 1]),
                .advance(10), .send(4), .sees([0, 1, 4]),
            ]
        ),
    ]

    @Test(arguments: scripts)
    func script(_ timed: Timed, _ steps: [Step]) async {
        let subject = ValueSubject(0)
        let clock = TestClock()
        let log = Log<Int>()
        let subscription = timed.stream(subject, clock).sink { log.append($0) }
        for step in steps {
            switch step {
            case .send(let value): subject.send(value)
            case .advance(let seconds): clock.advance(bySeconds: seconds)
            case .sleeps(let second): #expect(await clock.sleeps.reach { $0.last == second })
            case .sees(let values):
                #expect(await log.reach { $0.count >= values.count })
                #expect(log.elements == values)
            }
        }
        subscription.cancel()
    }

    @Test(arguments: [Timed.debounce, .throttleLatest])
    func theLastValueIsNeverLost(_ timed: Timed) async {
        for _ in 0..<200 {
            let subject = ValueSubject(0)
            let clock = TestClock()
            let log = Log<Int>()
            let subscription = timed.stream(subject, clock).sink { log.append($0) }
            DispatchQueue.global().async {
                for value in 1...20 {
                    subject.send(value)
                    clock.advance(bySeconds: value.isMultiple(of: 3) ? 10 : 4)
                }
                clock.advance(bySeconds: 100)
            }
            #expect(await log.reach { $0.last == 20 })
            let seen = log.elements
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
            subscription.cancel()
        }
    }

    @Test(arguments: [Timed.debounce, .throttleLatest, .throttleFirst])
    func cancellingEndsTheSleepAndReleases(_ timed: Timed) async {
        let subject = ValueSubject(0)
        let clock = TestClock()
        let released = Log<Bool>()
        let subscription = {
            let token = Token { released.append(true) }
            return timed.stream(subject, clock).sink { _ in token.touch() }
        }()
        subject.send(1)
        #expect(await clock.sleeps.reach { $0 == [10] })
        subscription.cancel()
        #expect(await released.reach { $0 == [true] })
        #expect(clock.sleeperCount == 0)
        clock.advance(bySeconds: 100)
    }

    @Test func anElementsDeinitMaySendWhileItIsDebounced() async {
        let subject = ValueSubject<Token?>(nil)
        let clock = TestClock()
        let log = Log<Bool>()
        let subscription = subject.debounce(for: .seconds(10), clock: clock).sink { log.append($0 == nil) }
        subject.send(Token { subject.send(nil) })
        subject.send(nil)
        #expect(await clock.sleeps.reach { $0.last == 10 })
        clock.advance(bySeconds: 10)
        #expect(await log.reach { $0 == [true] })
        // One that was emitted is released by the emission after it.
        subject.send(Token { subject.send(nil) })
        #expect(await clock.sleeps.reach { $0.last == 20 })
        clock.advance(bySeconds: 10)
        #expect(await log.reach { $0 == [true, false] })
        subject.send(nil)
        #expect(await clock.sleeps.reach { $0.last == 30 })
        clock.advance(bySeconds: 10)
        #expect(await log.reach { $0 == [true, false, true] })
        subscription.cancel()
    }
}
