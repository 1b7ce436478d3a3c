import Dispatch
import Observables
import Observation
import SystemCalls
import TestSupport
import Testing

@Suite struct SemanticsTests {
    @Test(arguments: Shape.allCases)
    func currentValueExactlyOnceThenEachInOrder(_ shape: Shape) {
        let subject = ValueSubject(0)
        let log = Log<Int>()
        let subscription = shape.sink(subject) { log.append($0) }
        if shape.isImmediate { #expect(log.elements == [0]) }
        #expect(log.block { $0 == [0] })
        for value in 1...5 {
            subject.send(value)
            if shape.isImmediate { #expect(log.elements == Array(0...value)) }
            #expect(log.block { $0 == Array(0...value) })
        }
        subscription.cancel()
    }

    @Test(arguments: Shape.allCases)
    func newestOnlyDuringACall(_ shape: Shape) {
        let subject = ValueSubject(0)
        let log = Log<Int>()
        let (busy, goOn) = (Gate(), Gate())
        let subscription = shape.sink(subject) { value in
            log.append(value)
            if value == 1 {
                busy.open()
                goOn.wait()
            }
        }
        #expect(log.block { $0 == [0] })
        let sender = DispatchQueue(label: "test.sender")
        sender.async { subject.send(1) }
        #expect(busy.wait())
        for value in 2...500 { subject.send(value) }
        #expect(log.elements == [0, 1])
        // The sender may still be at work on 1. It would then pass on a value in between that is not the last one.
        if !shape.isImmediate { sender.sync {} }
        goOn.open()
        #expect(log.block { $0 == [0, 1, 500] })
        sender.sync {}
        subscription.cancel()
    }

    /// G8: even while the sender is busy with the subscribers that come first, whose handlers are its own affair.
    @Test(arguments: [true, false])
    func G8_whoIsCalledElsewhereDoesNotWaitForAHandlerOfTheSender(isTracking: Bool) {
        let subject = ValueSubject(0)
        let log = Log<Int>()
        let (busy, goOn) = (Gate(), Gate())
        @Sendable func block() {
            busy.open()
            goOn.wait()
        }
        let blocking = subject.sink { if $0 == 1, !isTracking { block() } }
        let subscription = subject.sink(on: DispatchQueue(label: "test.queue")) { log.append($0) }
        let hopping = subject.receive(on: DispatchQueue(label: "test.queue")).sink { log.append(10 + $0) }
        if isTracking { withObservationTracking({ _ = subject.value }, onChange: block) }
        #expect(log.block { $0.contains(0) && $0.contains(10) })
        let sender = DispatchQueue(label: "test.sender")
        sender.async { subject.send(1) }
        #expect(busy.wait())
        #expect(log.block { $0.contains(1) && $0.contains(11) })
        DispatchQueue(label: "test.other").async { subject.send(2) }
        #expect(log.block { $0.contains(2) && $0.contains(12) })
        goOn.open()
        sender.sync {}
        for each in [blocking, subscription, hopping] { each.cancel() }
    }

    @Test(arguments: Shape.allCases)
    func aHandlerReadsTheValueItIsCalledWithOrANewerOne(_ shape: Shape) {
        let subject = ValueSubject(0)
        let log = Log<(told: Int, read: Int)>()
        let subscription = shape.sink(subject) { log.append(($0, subject.value)) }
        // With one sender, a newer value is also a greater one.
        for value in 1...1000 { subject.send(value) }
        #expect(log.block { $0.last?.told == 1000 })
        subscription.cancel()
        #expect(log.elements.allSatisfy { $0.read >= $0.told })
    }

    @Test func didSet() {
        let subject = ValueSubject(0)
        let log = Log<[Int]>()
        let subscription = subject.sink { log.append([$0, subject.value]) }
        subject.send(1)
        subject.value = 2
        #expect(log.elements == [[0, 0], [1, 1], [2, 2]])
        subscription.cancel()
    }

    @Test(arguments: Shape.allCases)
    func aHandlerMaySend(_ shape: Shape) {
        let subject = ValueSubject(0)
        let depth = Guarded(0)
        let log = Log<Int>()
        let subscription = shape.sink(subject) { value in
            let outer = depth.withLock { depth in
                defer { depth += 1 }
                return depth
            }
            log.append(outer == 0 ? value : -1)
            if value < 5 { subject.send(value + 1) }
            depth.withLock { $0 -= 1 }
        }
        #expect(log.block { $0 == [0, 1, 2, 3, 4, 5] })
        subscription.cancel()
    }

    @Test(arguments: Shape.allCases)
    func aHandlerMaySubscribe(_ shape: Shape) {
        let subject = ValueSubject(0)
        let log = Log<[Int]>()
        let inner = Guarded<[Subscription]>([])
        let subscription = shape.sink(subject) { outer in
            let subscription = shape.sink(subject) { log.append([outer, $0]) }
            inner.withLock { $0.append(subscription) }
        }
        #expect(log.block { $0 == [[0, 0]] })
        subject.send(1)
        #expect(log.block { $0.contains([1, 1]) && $0.contains([0, 1]) })
        #expect(log.elements.count == 3)
        subscription.cancel()
        for subscription in inner.withLock({ $0 }) { subscription.cancel() }
    }

    @Test(arguments: Shape.allCases)
    func aHandlerMayCancelAndReleaseItself(_ shape: Shape) {
        for releases in [false, true] {
            let subject = ValueSubject(0)
            let log = Log<Int>()
            let own = Guarded<Subscription?>(nil)
            let released = Gate()
            let subscribe = {
                let token = Token { released.open() }
                return shape.sink(subject) { value in
                    token.touch()
                    guard value == 1 else { return }
                    if releases {
                        _ = own.withLock { $0.take() }
                    } else {
                        own.withLock { $0 }?.cancel()
                    }
                    subject.send(2)
                    log.append(value)
                }
            }
            own.withLock { $0 = subscribe() }
            subject.send(1)
            #expect(log.block { $0 == [1] })
            #expect(released.wait())
            subject.send(1)
            #expect(log.elements == [1])
            own.withLock { $0 = nil }
        }
    }

    @Test(arguments: Shape.allCases)
    func aHandlerMayReleaseTheSubject(_ shape: Shape) {
        let subject = Guarded<ValueSubject<Int>?>(ValueSubject(0))
        let log = Log<Int>()
        let subscription = subject.withLock { $0 }.map { subject in shape.sink(subject) { log.append($0) } }
        let releasing = subject.withLock { $0 }.map { live in
            shape.sink(live) { value in
                if value == 1 { subject.withLock { $0 = nil } }
                log.append(value + 10)
            }
        }
        #expect(log.block { $0.sorted() == [0, 10] })
        subject.withLock { $0 }?.send(1)
        #expect(log.block { $0.sorted() == [0, 1, 10, 11] })
        #expect(subject.withLock { $0 } == nil)
        subscription?.cancel()
        releasing?.cancel()
    }

    /// Calls on a queue keep the promise for a cancel on that queue only: see CancelTests.
    @Test(arguments: Shape.allCases.filter(\.isImmediate))
    func nothingAfterCancel(_ shape: Shape) {
        let late = Guarded(0)
        for _ in 0..<300 {
            let subject = ValueSubject(0)
            let isCancelled = Guarded(false)
            let subscription = shape.sink(subject) { _ in
                if isCancelled.withLock({ $0 }) { late.withLock { $0 += 1 } }
            }
            let done = onThreads(2) { index in
                if index == 0 {
                    for value in 1...5 { subject.send(value) }
                } else {
                    subscription.cancel()
                    isCancelled.withLock { $0 = true }
                }
            }
            #expect(done)
            if !done { return }
        }
        #expect(late.withLock { $0 } == 0)
    }

    @Test(arguments: Shape.allCases)
    func theLastValueArrivesAndNoneOlderThanIt(_ shape: Shape) {
        let subject = ValueSubject(0)
        let log = Log<Int>()
        let subscription = shape.sink(subject) { log.append($0) }
        let numbers = Guarded(0)
        let done = onThreads(2) { _ in
            for _ in 0..<1_000 {
                // The lock gives the two senders one order. Senders may hold a lock around `send`, because no handler
                // here takes it.
                numbers.withLock { number in
                    number += 1
                    subject.send(number)
                }
            }
        }
        #expect(done)
        #expect(log.block { $0.last == 2_000 })
        subscription.cancel()
        let seen = log.elements
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
    }
}
