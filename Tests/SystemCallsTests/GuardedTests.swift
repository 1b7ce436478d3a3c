import SystemCalls
import TestSupport
import Testing

@Suite(.endsInTime)
struct GuardedTests {
    private typealias Thread = SystemCalls.Thread

    private struct Counts {
        var first = 0
        var second = 0
        /// How often somebody was inside who had changed one and not yet the other.
        var torn = 0
    }

    @Test func oneThreadAtATimeIsInside() async throws {
        let (threads, uses) = (8, 20_000)
        let counts = Guarded(Counts())
        let ended = Log<Int>()
        for number in 0..<threads {
            try Thread.spawn(named: "test") {
                for _ in 0..<uses {
                    counts.withLock { counts in
                        if counts.first != counts.second { counts.torn += 1 }
                        counts.first += 1
                        counts.second += 1
                    }
                }
                ended.append(number)
            }
        }
        try #require(await ended.reach { $0.count == threads })
        let (sum, torn) = counts.withLock { ($0.first, $0.torn) }
        #expect(sum == threads * uses && torn == 0)
    }

    /// One that takes the lock again and again, each time for longer than it takes to wake another one, leaves it to that.
    @Test func whoeverWaitsGetsItsTurn() async throws {
        let uses = Guarded(0)
        let isOver = Guarded(false)
        let holds = Semaphore()
        try Thread.spawn(named: "hog") {
            while !isOver.withLock({ $0 }) {
                uses.withLock { uses in
                    uses += 1
                    let end = Moment.now + .microseconds(300)
                    while Moment.now < end {}
                }
                holds.signal()
            }
        }
        defer { isOver.withLock { $0 = true } }
        holds.wait()
        let waits = Log<Int>()
        try Thread.spawn(named: "waits") {
            for _ in 0..<20 {
                let before = uses.withLock { $0 }
                // It has been taken again meanwhile, and is waited for.
                _ = Semaphore().wait(until: .now + .milliseconds(1))
                waits.append(uses.withLock { $0 } - before)
            }
        }
        try #require(await waits.reach { $0.count == 20 })
        // Without that it takes some thousand.
        #expect(waits.elements.sorted()[10] < 50, "uses by the other one: \(waits.elements)")
    }

    /// Whoever leaves wakes one that sleeps, who wakes the next.
    @Test func allThatSleepGetTheLock() async throws {
        let count = 16
        let ended = Guarded(0)
        let (holds, mayLeave) = (Semaphore(), Semaphore())
        try Thread.spawn(named: "holds") {
            ended.withLock { _ in
                holds.signal()
                mayLeave.wait()
            }
        }
        holds.wait()
        let threads = Log<Thread.ID>()
        for _ in 0..<count {
            try Thread.spawn(named: "waits") {
                threads.append(Thread.id)
                ended.withLock { $0 += 1 }
            }
        }
        try #require(await threads.reach { $0.count == count })
        for thread in threads.elements {
            try #require(await eventually { try FutexWait(of: thread) != nil })
        }
        #expect(ended.withLockIfAvailable { $0 } == nil)
        mayLeave.signal()
        try #require(await eventually { ended.withLockIfAvailable { $0 } == count })
    }
}
