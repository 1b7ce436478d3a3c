import Dispatch
import SystemCalls
import TestSupport
import Testing

@testable import Observables

@Suite struct ChannelTests {
    @Test(arguments: Place.allCases)
    func currentElementExactlyOnceThenChanges(_ place: Place) {
        let channel = Channel(1)
        let log = Log<Int>()
        let delivery = place.delivery
        let subscription = channel.subscribe(delivery) { log.append($0) }
        #expect(log.block { $0 == [1] })
        channel.publish(2).run()
        #expect(log.block { $0 == [1, 2] })
        channel.publish(3).run()
        #expect(log.block { $0 == [1, 2, 3] })
        subscription.cancel()
        // When calls come on a queue, `cancel` does not wait for a call that is just ending.
        if place != .queue { #expect(channel.subscriberCount == 0) }
        // A later subscriber, whose call comes after any call of the cancelled one would have.
        let witness = Gate()
        let later = channel.subscribe(delivery, initially: false) { _ in witness.open() }
        channel.publish(4).run()
        #expect(witness.wait())
        #expect(log.elements == [1, 2, 3])
        later.cancel()
    }

    @Test(arguments: Place.allCases)
    func withoutInitialOnlyChanges(_ place: Place) {
        let channel = Channel(1)
        let log = Log<Int>()
        let subscription = channel.subscribe(place.delivery, initially: false) { log.append($0) }
        channel.publish(2).run()
        #expect(log.block { !$0.isEmpty })
        #expect(log.elements == [2])
        subscription.cancel()
    }

    @Test func firstCallOnTheSubscribersThreadBeforeSubscribeReturns() {
        let channel = Channel(1)
        let log = Log<Bool>()
        let subscription = channel.subscribe(.caller) { _ in log.append(HandlerScope.isInside) }
        #expect(log.elements == [true])
        #expect(!HandlerScope.isInside)
        subscription.cancel()
    }

    /// A sender who comes before the first call has nothing to deliver.
    @Test func theFirstCallIsTheSubscribersOwn() {
        let core = Channel(1).core
        let isNobodyReady = core.state.withLock { state in
            let slot = ChannelSlot(id: state.makeID(), delivery: .caller, core: core)
            state.insert(slot, { _ in }, initially: true)
            return state.publish(state.payload).ready.isEmpty
        }
        #expect(isNobodyReady)
    }

    @Test(arguments: [Place.executor, .queue])
    func subscribeReturnsBeforeTheFirstCall(_ place: Place) {
        let channel = Channel(1)
        let returned = Gate()
        let log = Log<Bool>()
        let subscription = channel.subscribe(place.delivery) { _ in
            log.append(returned.wait())
        }
        returned.open()
        #expect(log.block { $0 == [true] })
        subscription.cancel()
    }

    @Test func publishCallsNobodyUntilRun() {
        let channel = Channel(1)
        let log = Log<Int>()
        let subscription = channel.subscribe(.caller) { log.append($0) }
        let ready = channel.publish(2)
        #expect(channel.current == 2)
        #expect(log.elements == [1])
        ready.run()
        ready.run()
        #expect(log.elements == [1, 2])
        subscription.cancel()
    }

    @Test func publicationsBeforeTheRunAreOneCall() {
        let channel = Channel(1)
        let log = Log<Int>()
        let subscription = channel.subscribe(.caller) { log.append($0) }
        var ready = channel.publish(2)
        ready.append(channel.publish(3))
        ready.append(channel.publish(4))
        ready.run()
        #expect(log.elements == [1, 4])
        subscription.cancel()
    }

    @Test func endingSubscriptionsMovesTheOthersSeldom() {
        let channel = Channel(0)
        let log = Log<Int>()
        let subscriptions = (0..<1000).map { index in
            channel.subscribe(.caller, initially: false) { _ in log.append(index) }
        }
        var sizes: Set<Int> = []
        for subscription in subscriptions.dropLast(3) {
            subscription.cancel()
            subscription.cancel()
            sizes.insert(channel.core.state.withLock { $0.slots.count })
        }
        #expect(sizes.count < 20)
        withExtendedLifetime(subscriptions) { channel.publish(1).run() }
        #expect(log.elements == [997, 998, 999])
        for subscription in subscriptions.suffix(3) { subscription.cancel() }
        #expect(channel.subscriberCount == 0)
    }

    @Test func aSlowHandlerDoesNotKeepTheOthersFromAnotherSender() {
        let channel = Channel(0)
        let log = Log<Int>()
        let (busy, goOn) = (Gate(), Gate())
        let slow = channel.subscribe(.caller, initially: false) { _ in
            busy.open()
            goOn.wait()
        }
        let other = channel.subscribe(.caller, initially: false) { log.append($0) }
        let publisher = DispatchQueue(label: "test.publisher")
        publisher.async { channel.publish(1).run() }
        busy.wait()
        channel.publish(2).run()
        #expect(log.elements == [2])
        goOn.open()
        publisher.sync {}
        #expect(log.elements == [2])
        slow.cancel()
        other.cancel()
    }

    @Test func whatSeveralPublicationsMadeReadyIsRunAtOnce() {
        let channels = [Channel(0), Channel(0)]
        let log = Log<Int>()
        var subscriptions: Set<Subscription> = []
        for (index, channel) in channels.enumerated() {
            for offset in [0, 100] {
                channel.subscribe(.caller, initially: false) { log.append($0 + index * 10 + offset) }
                    .store(in: &subscriptions)
            }
        }
        var ready = ReadyList()
        for channel in channels { ready.append(channel.publish(1)) }
        ready.run()
        #expect(log.elements == [1, 101, 11, 111])
    }

    @Test func updateDecidesUnderTheLock() {
        let channel = Channel((number: 5, name: "five"))
        let log = Log<Int>()
        let subscription = channel.subscribe(.caller) { log.append($0.number) }
        func offer(_ number: Int, _ name: String) {
            channel.publish { newest in number > newest.number ? (number, name) : nil }?.run()
        }
        offer(4, "four")
        offer(5, "another five")
        offer(6, "six")
        #expect(log.elements == [5, 6])
        #expect(channel.current.name == "six")
        subscription.cancel()
    }

    @Test(arguments: Place.allCases)
    func newestOnlyWhileTheHandlerIsBusy(_ place: Place) {
        let channel = Channel(0)
        let log = Log<Int>()
        let (busy, goOn) = (Gate(), Gate())
        let subscription = channel.subscribe(place.delivery, initially: false) { element in
            log.append(element)
            if element == 1 {
                busy.open()
                goOn.wait()
            }
        }
        let publisher = DispatchQueue(label: "test.publisher")
        publisher.async { channel.publish(1).run() }
        busy.wait()
        for element in 2...1000 {
            let ready = channel.publish(element)
            #expect(ready.isEmpty)
            ready.run()
        }
        goOn.open()
        #expect(log.block { $0 == [1, 1000] })
        publisher.sync {}
        subscription.cancel()
    }

    @Test(arguments: Place.allCases)
    func everySubscriberReachesTheLastElementInOrder(_ place: Place) {
        let channel = Channel((writer: 0, number: 0))
        let count = 2_000
        let numbers = Guarded(0)
        let log = Log<Int>()
        let isBusy = Guarded(false)
        let overlaps = Guarded(0)
        let subscription = channel.subscribe(place.delivery) { element in
            if isBusy.withLock({ exchange(&$0, with: true) }) { overlaps.withLock { $0 += 1 } }
            log.append(element.number)
            isBusy.withLock { $0 = false }
        }
        let done = onThreads(2) { writer in
            for _ in 0..<count {
                // As in the file layer: number and publish under one lock, and deliver outside.
                let ready = numbers.withLock { number in
                    number += 1
                    return channel.publish((writer, number))
                }
                ready.run()
            }
        }
        #expect(done)
        #expect(log.block { $0.last == 2 * count })
        subscription.cancel()
        #expect(overlaps.withLock { $0 } == 0, "one call at a time")
        let seen = log.elements
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
    }
}
