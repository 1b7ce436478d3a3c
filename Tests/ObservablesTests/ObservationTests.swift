import Observables
import Observation
import TestSupport
import Testing

@Suite struct ObservationTests {
    @Test func aTrackedReadFiresAfterTheStore() {
        let subject = ValueSubject(0)
        let log = Log<Int>()
        let tracked = withObservationTracking {
            subject.value
        } onChange: {
            log.append(subject.value)
        }
        #expect(tracked == 0)
        subject.send(1)
        subject.send(2)
        #expect(log.elements == [1], "once, and it sees the new value")
    }

    @Test func trackingHandlersComeBeforeSubscribers() {
        let subject = ValueSubject(0)
        let log = Log<String>()
        let subscription = subject.sink { log.append("sink \($0)") }
        withObservationTracking {
            _ = subject.value
        } onChange: {
            log.append("tracking")
        }
        subject.value = 1
        #expect(log.elements == ["sink 0", "tracking", "sink 1"])
        subscription.cancel()
    }

    @Test func aTrackingHandlerMaySend() {
        let subject = ValueSubject(0)
        let log = Log<Int>()
        let subscription = subject.sink { log.append($0) }
        withObservationTracking {
            _ = subject.value
        } onChange: {
            subject.send(2)
        }
        subject.send(1)
        #expect(log.elements == [0, 2])
        subscription.cancel()
    }

    @Test func aChangeMadeByATrackingHandlerIsToldToTrackingInstalledBefore() {
        let subject = ValueSubject(0)
        let log = Log<Int>()
        withObservationTracking {
            _ = subject.value
        } onChange: {
            withObservationTracking {
                _ = subject.value
            } onChange: {
                log.append(subject.value)
            }
            subject.send(2)
        }
        subject.send(1)
        #expect(log.elements == [2])
    }

    @Test func subjectsAreTrackedEachByItself() {
        let (one, other) = (ValueSubject(0), ValueSubject(0))
        let log = Log<Int>()
        withObservationTracking {
            _ = one.value
        } onChange: {
            log.append(one.value)
        }
        other.send(1)
        #expect(log.elements.isEmpty)
        one.send(2)
        #expect(log.elements == [2])
    }
}
