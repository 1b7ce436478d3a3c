import SystemCalls
import TestSupport
import Testing

@Suite(.endsInTime)
struct GuardedTests {
    private typealias Thread = SystemCalls.Thread

    private struct Counts {
        var first = 0
        var second = 0
        /// How often a thread inside found that only one of the two had been changed.
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

    /// A thread that takes the lock again at once, each time for longer than it takes to wake another, leaves it to the
    /// waiting thread.
    @Test func whoeverWaitsGetsItsTurn() async throws {
        let uses = Guarded((count: 0, isOver: false))
        try Thread.spawn(named: "hog") {
            var isOver = false
            while !isOver {
                uses.withLock { uses in
                    uses.count += 1
                    isOver = uses.isOver
                    let end = Moment.now + .microseconds(100)
                    while Moment.now < end {}
                }
            }
        }
        let waits = Log<Int>()
        try Thread.spawn(named: "waits") {
            for _ in 0..<20 {
                let before = uses.withLock(\.count)
                // By then the hog has the lock again, so that the next use waits.
                _ = Semaphore().wait(until: .now + .milliseconds(1))
                waits.append(uses.withLock(\.count) - before)
            }
            uses.withLock { $0.isOver = true }
        }
        try #require(await waits.reach { $0.count == 20 })
        // Waiting for a millisecond takes ten uses. Two of the waits may have been longer, for want of a processor.
        #expect(waits.elements.sorted()[17] < 400, "uses by the other one: \(waits.elements)")
    }

    /// A thread that leaves wakes one sleeper, which wakes the next.
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
