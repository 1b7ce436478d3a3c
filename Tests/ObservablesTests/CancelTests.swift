import Dispatch
import Observables
import SystemCalls
import TestSupport
import Testing

/// G13: no callback after cancel.
@Suite struct CancelTests {
    @Test(arguments: [Place.caller, .executor])
    func G13_noCallStartsAfterCancelReturned(_ place: Place) {
        let delivery = place.delivery
        for _ in 0..<2_000 {
            let channel = Channel(0)
            let cancelled = Guarded(false)
            let late = Guarded(0)
            let subscription = channel.subscribe(delivery) { _ in
                // Checks at the start of the call and at its end, because `cancel` waits for the whole call.
                if cancelled.withLock({ $0 }) { late.withLock { $0 += 1 } }
                for _ in 0..<20 { HandlerScope.run {} }
                if cancelled.withLock({ $0 }) { late.withLock { $0 += 1 } }
            }
            let done = onThreads(2) { index in
                if index == 0 {
                    for element in 1...5 { channel.publish(element).run() }
                } else {
                    subscription.cancel()
                    cancelled.withLock { $0 = true }
                }
            }
            #expect(done)
            #expect(late.withLock { $0 } == 0)
            if !done { return }
        }
    }

    @Test(arguments: [Place.caller, .executor])
    func G13_cancelWaitsForTheCallOfAnotherThread(_ place: Place) {
        for _ in 0..<100 {
            let channel = Channel(0)
            let (busy, goOn, ended) = (Gate(), Gate(), Gate())
            let subscription = channel.subscribe(place.delivery, initially: false) { _ in
                busy.open()
                goOn.wait()
                ended.open()
            }
            let publisher = DispatchQueue(label: "test.publisher")
            publisher.async { channel.publish(1).run() }
            busy.wait()
            // Several threads cancel at the same time, and each of them waits.
            let begun = Log<Int>()
            let log = Log<Bool>()
            for index in 0..<3 {
                DispatchQueue(label: "test.cancel.\(index)").async {
                    begun.append(index)
                    subscription.cancel()
                    log.append(ended.isOpen)
                }
            }
            #expect(begun.block { $0.count == 3 })
            goOn.open()
            #expect(log.block { $0.count == 3 })
            #expect(log.elements == [true, true, true])
            publisher.sync {}
        }
    }

    @Test func G13_twoHandlersThatCancelEachOtherEnd() {
        for _ in 0..<500 {
            let channels = [Channel(0), Channel(0)]
            let subscriptions = Guarded<[Subscription]>([])
            let inside = Guarded(0)
            for index in 0..<2 {
                let subscription = channels[index].subscribe(.caller, initially: false) { _ in
                    inside.withLock { $0 += 1 }
                    let other = subscriptions.withLock { $0[1 - index] }
                    other.cancel()
                }
                subscriptions.withLock { $0.append(subscription) }
            }
            let done = onThreads(2) { index in channels[index].publish(1).run() }
            #expect(done)
            if !done { return }
            subscriptions.withLock { exchange(&$0, with: []) }.forEach { $0.cancel() }
            #expect(channels.allSatisfy { $0.subscriberCount == 0 })
        }
    }

    @Test(arguments: Place.allCases)
    func G13_cancelInTheOwnHandlerEndsIt(_ place: Place) {
        let channel = Channel(0)
        let own = Guarded<Subscription?>(nil)
        let log = Log<Int>()
        let subscription = channel.subscribe(place.delivery, initially: false) { element in
            log.append(element)
            own.withLock { $0 }?.cancel()
            channel.publish(element + 1).run()
            if element == 1 { log.append(-1) }
        }
        own.withLock { $0 = subscription }
        channel.publish(1).run()
        #expect(log.block { $0.count == 2 })
        channel.publish(5).run()
        #expect(log.elements == [1, -1])
        own.withLock { $0 = nil }
    }

    /// An operator whose closure calls `act` for each value.
    private static let operators:
        [(name: String, make: @Sendable (any ValueStream<Int>, @escaping @Sendable () -> Void) -> DerivedStream<Int>)] =
            [
                (
                    "map",
                    { stream, act in
                        stream.map { element in
                            act()
                            return element
                        }
                    }
                ),
                (
                    "filter",
                    { stream, act in
                        stream.filter { _ in
                            act()
                            return true
                        }
                    }
                ),
                (
                    "removeDuplicates",
                    { stream, act in
                        stream.removeDuplicates { _, _ in
                            act()
                            return false
                        }
                    }
                ),
                (
                    "map, then map",
                    { stream, act in
                        stream.map { element in
                            act()
                            return element
                        }.map { $0 }
                    }
                ),
            ]

    enum Way: CaseIterable {
        case direct, receiveOn, sinkOn
    }

    @Test(arguments: operators.map(\.name), Way.allCases)
    func G13_cancelInAnOperatorKeepsTheHandlerFromStarting(name: String, way: Way) throws {
        let make = try #require(Self.operators.first { $0.name == name }).make
        let queue = DispatchQueue(label: "test.queue")
        let subject = ValueSubject(0)
        let own = Guarded<Subscription?>(nil)
        let (log, acts) = (Log<Int>(), Log<Bool>())
        let stream = make(way == .receiveOn ? subject.receive(on: queue) : subject) {
            acts.append(true)
            own.withLock { $0 }?.cancel()
        }
        let subscription = stream.sink(on: way == .sinkOn ? queue : nil) { log.append($0) }
        queue.sync {}
        #expect(log.elements == [0])
        let actsBefore = acts.elements.count
        own.withLock { $0 = subscription }
        subject.send(1)
        queue.sync {}
        #expect(acts.elements.count > actsBefore)
        #expect(log.elements == [0])
        own.withLock { $0 = nil }
    }

    /// Behind a queue, the stream checks once more whether two values are equal.
    @Test func G13_cancelWhereDuplicatesAreRemovedOnAQueueKeepsTheHandlerFromStarting() {
        let queue = DispatchQueue(label: "test.queue")
        let isOnQueue = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: isOnQueue, value: true)
        let subject = ValueSubject(0)
        let own = Guarded<Subscription?>(nil)
        let log = Log<Int>()
        let subscription = subject.removeDuplicates { _, _ in
            if DispatchQueue.getSpecific(key: isOnQueue) == true { own.withLock { $0 }?.cancel() }
            return false
        }.sink(on: queue) { log.append($0) }
        queue.sync {}
        own.withLock { $0 = subscription }
        subject.send(1)
        queue.sync {}
        #expect(log.elements == [0])
        own.withLock { $0 = nil }
    }

    /// The predicate runs inside a handler, and at the deadline in the task itself.
    @Test func G13_aCancelInAPredicateDoesNotWait() async throws {
        let (isCalled, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
        let subject = ValueSubject(0)
        let other = ValueSubject(0)
        let slow = other.sink { number in
            if number == 0 { return }
            isCalled.open()
            mayEnd.wait()
        }
        try Thread.spawn(named: "test.sender") { other.send(1) }
        try #require(await isCalled.opened())
        let outcome = Log<Result<Int, any Error>>()
        let task = Task {
            do {
                let found = try await subject.first(timeout: .milliseconds(1)) { _ in
                    slow.cancel()
                    return false
                }
                outcome.append(.success(found))
            } catch {
                outcome.append(.failure(error))
            }
        }
        let first = await outcome.first { _ in true }
        mayEnd.signal()
        await task.value
        #expect(throws: TimedOut.self) { try first?.get() }
    }

    @Test func G13_onAQueueAJobThatWaitsSeesTheCancel() {
        let queue = DispatchQueue(label: "test.queue")
        let channel = Channel(0)
        let log = Log<Int>()
        let subscription = channel.subscribe(.queue(queue), initially: false) { log.append($0) }
        queue.sync {
            channel.publish(1).run()
            subscription.cancel()
        }
        queue.sync {}
        #expect(log.elements.isEmpty)
    }

    @Test func onAQueueCancelFromElsewhereDoesNotWait() {
        let queue = DispatchQueue(label: "test.queue")
        let channel = Channel(0)
        let (busy, goOn) = (Gate(), Gate())
        let wentOn = Log<Bool>()
        let subscription = channel.subscribe(.queue(queue), initially: false) { _ in
            busy.open()
            wentOn.append(goOn.wait())
        }
        channel.publish(1).run()
        busy.wait()
        subscription.cancel()
        goOn.open()
        queue.sync {}
        #expect(wentOn.elements == [true])
        #expect(channel.subscriberCount == 0)
    }

    /// The sender may be waiting for the queue.
    @Test func onAQueueBehindAnOperatorCancelDoesNotWaitForTheSender() {
        let queue = DispatchQueue(label: "test.queue")
        let subject = ValueSubject(0)
        let (busy, goOn, cancelled) = (Gate(), Gate(), Gate())
        let subscription = subject.map { element in
            if element == 1 {
                busy.open()
                goOn.wait()
            }
            return element
        }.sink(on: queue) { _ in }
        let sender = DispatchQueue(label: "test.sender")
        sender.async { subject.send(1) }
        busy.wait()
        queue.async {
            subscription.cancel()
            cancelled.open()
        }
        #expect(cancelled.wait())
        goOn.open()
        sender.sync {}
    }

    @Test func deinitCancelsAndDoesNotWait() {
        let channel = Channel(0)
        let (busy, goOn) = (Gate(), Gate())
        let wentOn = Log<Bool>()
        var subscription: Subscription? = channel.subscribe(.caller, initially: false) { _ in
            busy.open()
            wentOn.append(goOn.wait())
        }
        let publisher = DispatchQueue(label: "test.publisher")
        publisher.async { channel.publish(1).run() }
        busy.wait()
        #expect(subscription != nil)
        subscription = nil
        goOn.open()
        publisher.sync {}
        #expect(wentOn.elements == [true])
        #expect(channel.subscriberCount == 0)
    }

    @Test func aSecondCancelWaitsThoughNothingIsKeptAliveAnyMore() {
        final class Sentinel: Sendable {}
        let channel = Channel(0)
        let (busy, goOn, ended) = (Gate(), Gate(), Gate())
        let inner = channel.subscribe(.caller, initially: false) { _ in
            busy.open()
            goOn.wait()
            ended.open()
        }
        var sentinel: Sentinel? = Sentinel()
        weak let weakSentinel = sentinel
        let subscription = Subscription(keeping: sentinel) { inner.cancel(mayWait: $0) }
        sentinel = nil
        DispatchQueue(label: "test.publisher").async { channel.publish(1).run() }
        busy.wait()
        #expect(weakSentinel != nil)
        subscription.cancel(mayWait: false)
        #expect(weakSentinel == nil)
        let begun = Log<Int>()
        let log = Log<Bool>()
        DispatchQueue(label: "test.cancel").async {
            begun.append(0)
            subscription.cancel()
            log.append(ended.isOpen)
        }
        #expect(begun.block { $0.count == 1 })
        goOn.open()
        #expect(log.block { $0 == [true] })
    }

    @Test func subscribeAndCancelFromSeveralThreads() {
        let channel = Channel(0)
        let executor = SerialExecutor()
        let late = Guarded(0)
        let done = onThreads(4) { index in
            for round in 0..<1_000 {
                let isCancelled = Guarded(false)
                let delivery: Delivery = index == 3 ? .executor(executor) : .caller
                let subscription = channel.subscribe(delivery) { _ in
                    if isCancelled.withLock({ $0 }) { late.withLock { $0 += 1 } }
                }
                channel.publish(round).run()
                subscription.cancel()
                isCancelled.withLock { $0 = true }
            }
        }
        #expect(done)
        #expect(late.withLock { $0 } == 0)
        executor.queue.sync {}
        #expect(channel.subscriberCount == 0)
    }

    @Test func aSubscriptionOfOnesOwnEndsOnce() {
        let ended = Log<String>()
        do {
            let cancelled = Subscription { ended.append("cancelled") }
            for _ in 0..<2 { cancelled.cancel() }
            #expect(ended.elements == ["cancelled"])
            let dropped = Subscription { ended.append("dropped") }
            withExtendedLifetime(dropped) { #expect(ended.elements == ["cancelled"]) }
        }
        #expect(ended.elements == ["cancelled", "dropped"])
    }

    @Test func subscriptionsAreKeptInASet() {
        let channel = Channel(0)
        var subscriptions: Set<Subscription> = []
        channel.subscribe(.caller) { _ in }.store(in: &subscriptions)
        channel.subscribe(.caller) { _ in }.store(in: &subscriptions)
        #expect(subscriptions.count == 2)
        #expect(channel.subscriberCount == 2)
        subscriptions.removeAll()
        #expect(channel.subscriberCount == 0)
    }

    @Test func subscriptionsAreKeptInAnArray() {
        let channel = Channel(0)
        var subscriptions: [Subscription] = []
        channel.subscribe(.caller) { _ in }.store(in: &subscriptions)
        channel.subscribe(.caller) { _ in }.store(in: &subscriptions)
        #expect(channel.subscriberCount == 2)
        subscriptions.removeFirst()
        #expect(channel.subscriberCount == 1)
        subscriptions = []
        #expect(channel.subscriberCount == 0)
    }
}
