import Dispatch
import Observables
import SystemCalls
import TestSupport
import Testing

/// What is released, when, and what a `deinit` may do then.
@Suite(.endsInTime) struct ReleaseTests {
    @Test(arguments: Place.allCases)
    func cancelReleasesTheHandlerAndWhatItHolds(_ place: Place) {
        let channel = Channel(0)
        let called = Gate()
        let released = Gate()
        let subscription = {
            let token = Token { released.open() }
            return channel.subscribe(place.delivery) { _ in
                token.touch()
                called.open()
            }
        }()
        #expect(called.wait())
        #expect(!released.isOpen)
        subscription.cancel()
        subscription.cancel()
        #expect(released.wait())
    }

    @Test(arguments: [false, true])
    func aHandlersDeinitMayCancelAgain(_ duringTheCall: Bool) {
        let channel = Channel(0)
        let own = Guarded<Subscription?>(nil)
        let released = Gate()
        let subscription = {
            let token = Token {
                own.withLock { $0 }?.cancel()
                channel.publish(7).run()
                released.open()
            }
            return channel.subscribe(.caller) { element in
                token.touch()
                if element == 1 { own.withLock { $0 }?.cancel() }
            }
        }()
        own.withLock { $0 = subscription }
        if duringTheCall { channel.publish(1).run() } else { subscription.cancel() }
        #expect(released.isOpen)
        own.withLock { $0 = nil }
    }

    @Test(arguments: Shape.allCases)
    func aCancelledSubscriptionHoldsNoValue(_ shape: Shape) async {
        let (called, released) = (Gate(), Gate())
        let subscription = {
            let subject = ValueSubject(Token { released.open() })
            return shape.sink(subject) { _ in called.open() }
        }()
        #expect(await called.opened())
        subscription.cancel()
        #expect(await released.opened())
        withExtendedLifetime(subscription) {}
    }

    /// The value is released at once, although the task that waits for the clock may end much later.
    @Test(arguments: [false, true])
    func aCancelledTimerHoldsNoValue(_ isThrottle: Bool) async {
        let clock = TestClock()
        let released = Gate()
        let subscription = {
            let subject = ValueSubject(Token {})
            let stream =
                isThrottle
                ? subject.throttle(for: .seconds(9), clock: clock) : subject.debounce(for: .seconds(9), clock: clock)
            let subscription = stream.sink { _ in }
            subject.send(Token { released.open() })
            return subscription
        }()
        #expect(await clock.sleeps.reach { $0 == [9] })
        subscription.cancel()
        #expect(released.isOpen)
        withExtendedLifetime(subscription) {}
    }

    @Test func aSubscriptionThatWasCancelledInItsHandlerHoldsNoValue() {
        let released = Gate()
        let own = Guarded<Subscription?>(nil)
        let subscription = {
            let subject = ValueSubject(Token {})
            let subscription = subject.sink { _ in own.withLock { $0 }?.cancel() }
            own.withLock { $0 = subscription }
            subject.send(Token { released.open() })
            return subscription
        }()
        #expect(released.wait())
        withExtendedLifetime(subscription) { own.withLock { $0 = nil } }
    }

    @Test func anElementsDeinitMayUseTheChannel() {
        let released = Gate()
        let channel = Channel<Token?>(nil)
        channel.publish(
            Token {
                channel.publish(nil).run()
                released.open()
            }
        ).run()
        channel.publish(nil).run()
        #expect(released.isOpen)
    }
}
