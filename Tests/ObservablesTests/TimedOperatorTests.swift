import Dispatch
import Observables
import SystemCalls
import TestSupport
import Testing

@Suite(.endsInTime) struct TimedOperatorTests {
    enum Step: Sendable {
        case send(Int)
        case advance(Int)
        /// Waits until the operator sleeps until this second.
        case sleeps(Int)
        /// Waits until exactly these values have been seen: which calls come when is part of the promise.
        case sees([Int])
    }

    enum Timed: Sendable {
        case debounce, throttleLatest, throttleFirst

        func stream(
            _ subject: ValueSubject<Int>, _ clock: TestClock, for interval: Duration = .seconds(10)
        ) -> DerivedStream<Int> {
            switch self {
            case .debounce: subject.debounce(for: interval, clock: clock)
            case .throttleLatest: subject.throttle(for: interval, clock: clock)
            case .throttleFirst: subject.throttle(for: interval, latest: false, clock: clock)
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

    /// A clock that counts nanoseconds in 64 bits, like the standard library's clocks, ends within three centuries.
    @Test(arguments: [Timed.debounce, .throttleLatest, .throttleFirst], [Int64.max, .min])
    func noIntervalIsTooLongOrTooShort(_ timed: Timed, _ seconds: Int64) async {
        let subject = ValueSubject(0)
        let clock = TestClock()
        let log = Log<Int>()
        let subscription = timed.stream(subject, clock, for: .seconds(seconds)).sink { log.append($0) }
        subject.send(1)
        if seconds > 0 {
            #expect(await clock.sleeps.reach { !$0.isEmpty })
            #expect(clock.sleeps.elements.allSatisfy { $0 < Int64.max / 1_000_000_000 })
        } else {
            #expect(await log.reach { $0.last == 1 })
        }
        subscription.cancel()
    }

    /// The clock itself would trap at once if asked to sleep for so long.
    @Test func theStandardLibrarysClocksSleepForAnyInterval() async {
        let subject = ValueSubject(0)
        let forEver = subject.debounce(for: .seconds(Int64.max)).sink { _ in Issue.record("for ever has passed") }
        let log = Log<Int>()
        let soon = subject.debounce(for: .milliseconds(1)).sink { log.append($0) }
        // Another task that slept meanwhile has woken.
        #expect(await log.reach { $0 == [0] })
        soon.cancel()
        forEver.cancel()
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
        // An element that was emitted is released by the next emission.
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

    /// G8: blocked handlers take no thread of Swift's concurrency pool, which has as many as there are processors. Nor
    /// do they hold up the handlers of other subscriptions.
    @Test(arguments: [Timed.debounce, .throttleLatest])
    func G8_handlersThatBlockHoldUpNoTask(_ timed: Timed) async {
        let count = 20
        let (blocked, goOn, isRun) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let subject = ValueSubject(0)
        let clock = TestClock()
        let subscriptions = (0..<count).map { _ in
            timed.stream(subject, clock).sink { value in
                if value == 0 { return }
                blocked.signal()
                goOn.wait()
            }
        }
        subject.send(1)
        #expect(await clock.sleeps.reach { $0.count { $0 == 10 } >= count })
        clock.advance(bySeconds: 10)
        let outcome = await blocking {
            let areBlocked = (0..<count).allSatisfy { _ in blocked.wait(timeout: .now() + 20) == .success }
            Task.detached { isRun.signal() }
            let hasRun = isRun.wait(timeout: .now() + 20) == .success
            for _ in 0..<count { goOn.signal() }
            return (areBlocked, hasRun)
        }
        #expect(outcome == (true, true))
        for subscription in subscriptions { subscription.cancel() }
    }

    /// A clock that fails to sleep once.
    private final class Failing: Clock {
        struct Failure: Error {}
        let clock = TestClock()
        let hasFailed = Guarded(false)
        var now: TestClock.Instant { clock.now }
        var minimumResolution: Duration { clock.minimumResolution }
        func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
            if !hasFailed.withLock({ ($0, $0 = true).0 }) { throw Failure() }
            try await clock.sleep(until: deadline, tolerance: tolerance)
        }
    }

    @Test func firstTimesOutWhereItsClockCannotSleep() async {
        let ended = Log<Bool>()
        let waiting = Task {
            do {
                _ = try await ValueSubject(0).first(timeout: .seconds(5), clock: Failing()) { $0 == 1 }
            } catch {
                ended.append(error is TimedOut)
            }
        }
        defer { waiting.cancel() }
        #expect(await ended.reach { $0 == [true] })
    }

    @Test func whatCannotBeWaitedForIsToldAtOnce() async {
        let subject = ValueSubject(0)
        let clock = Failing()
        let log = Log<Int>()
        let subscription = subject.debounce(for: .seconds(10), clock: clock).sink { log.append($0) }
        #expect(await log.reach { $0 == [0] })
        subject.send(1)
        #expect(await clock.clock.sleeps.reach { $0 == [10] })
        clock.clock.advance(bySeconds: 10)
        #expect(await log.reach { $0 == [0, 1] })
        subscription.cancel()
    }
}
