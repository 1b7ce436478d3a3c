import Dispatch
import Observables
import TestSupport
import Testing

@Suite(.endsInTime) struct OperatorTests {
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
        // A description can be used twice; each subscription has its own state.
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

    /// What a hop to a queue skips may be all that came between two equal values.
    @Test(arguments: [false, true])
    func duplicatesStayAwayBehindAHop(receives: Bool) {
        let subject = ValueSubject("A")
        let queue = DispatchQueue(label: "test.queue")
        let log = Log<String>()
        let goOn = Gate()
        let handler: @Sendable (String) -> Void = { value in
            log.append(value)
            goOn.wait()
        }
        let distinct = subject.removeDuplicates()
        let subscription = receives ? distinct.receive(on: queue).sink(handler) : distinct.sink(on: queue, handler)
        #expect(log.block { $0 == ["A"] })
        for value in ["B", "A"] { subject.send(value) }
        goOn.open()
        for _ in 0..<2 { queue.sync {} }
        subject.send("C")
        #expect(log.block { $0.last == "C" })
        #expect(log.elements == ["A", "C"])
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
        #expect(log.block { $0 == [[false, true, true]] })
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
}
