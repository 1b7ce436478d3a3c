import Dispatch
import SystemCalls
import TestSupport
import Testing

@testable import Observables

/// Many subscribers with one executor, which become ready together.
@Suite struct SlotBatchTests {
    /// Runs its jobs only when the test says so.
    private final class Jobs: JobExecutor {
        private let waiting = Guarded<[@Sendable () -> Void]>([])

        var count: Int { waiting.withLock(\.count) }

        func execute(_ job: @escaping @Sendable () -> Void) {
            waiting.withLock { $0.append(job) }
        }

        func runFirst() {
            waiting.withLock { $0.removeFirst() }()
        }

        func runAll() {
            while count > 0 { runFirst() }
        }
    }

    /// A thread for each job.
    private final class Threads: JobExecutor {
        func execute(_ job: @escaping @Sendable () -> Void) {
            do throws(Errno) {
                try SystemCalls.Thread.spawn(named: "test", job)
            } catch {
                Issue.record("no thread: \(error)")
            }
        }
    }

    private let channel = Channel(0)
    private let called = Log<Int>()

    /// Subscribers with the numbers 0, 1, 2, …, each of which appends its number to `called`.
    private func subscribe(_ count: Int, _ executor: (Int) -> any JobExecutor) -> [Subscription] {
        (0..<count).map { number in
            channel.subscribe(.executor(executor(number)), initially: false) { [called] _ in called.append(number) }
        }
    }

    @Test(arguments: [2, 33, 34, 64, 65, 66, 1000])
    func eachIsCalledOnceInTheOrderOfSubscription(count: Int) {
        let jobs = Jobs()
        let subscriptions = subscribe(count) { _ in jobs }
        for _ in 0..<2 {
            channel.publish(1).run()
            #expect(jobs.count <= 66)
            jobs.runAll()
        }
        #expect(called.elements == Array(0..<count) + Array(0..<count))
        withExtendedLifetime(subscriptions) {}
    }

    @Test func eachIsCalledByItsOwnExecutor() {
        let both = [Jobs(), Jobs()]
        let subscriptions = subscribe(200) { both[$0 / 50 % 2] }
        channel.publish(1).run()
        both[0].runAll()
        #expect(called.elements == Array(0..<50) + Array(100..<150))
        both[1].runAll()
        #expect(called.elements.suffix(100) == Array(50..<100) + Array(150..<200))
        withExtendedLifetime(subscriptions) {}
    }

    /// Other jobs of the executor run in between.
    @Test func othersNeedNotWaitForAll() throws {
        let jobs = Jobs()
        let subscriptions = subscribe(1000) { _ in jobs }
        channel.publish(1).run()
        jobs.execute { [called] in called.append(-1) }
        jobs.runAll()
        let place = try #require(called.elements.firstIndex(of: -1))
        // Each job that was queued earlier has had one turn.
        #expect(place < 1000)
        #expect(called.elements.count == 1001)
        withExtendedLifetime(subscriptions) {}
    }

    /// G8: where half of the handlers block, the others are called.
    @Test func handlersThatBlockHoldUpNobody() async throws {
        let block = DispatchSemaphore(value: 0)
        let threads = Threads()
        let subscriptions = (0..<80).map { number in
            channel.subscribe(.executor(threads), initially: false) { [called] _ in
                if number % 2 == 0 { block.wait() }
                called.append(number)
            }
        }
        channel.publish(1).run()
        #expect(await called.reach { $0.count == 40 && $0.allSatisfy { $0 % 2 == 1 } })
        for _ in 0..<40 { block.signal() }
        #expect(await called.reach { $0.count == 80 })
        withExtendedLifetime(subscriptions) {}
    }
}
