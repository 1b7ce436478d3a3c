import Dispatch
import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

struct ThreadPoolTests {
    @Test func runsJobsOnAThreadOfItsOwn() async {
        let ran = Log<Bool>()
        ThreadPool.shared.execute { ran.append(Thread.isMarked) }
        #expect(await ran.first { _ in true } == true)
        #expect(!Thread.isMarked)
    }

    /// Only a few, because all tests of this process share the pool. Another test checks the contract's number in a
    /// process of its own.
    @Test func blockedJobsHoldUpNobody() async {
        let block = DispatchSemaphore(value: 0)
        let blocked = 8
        for _ in 0..<blocked { ThreadPool.shared.execute { block.wait() } }
        for _ in 0..<20 {
            let ran = Log<Moment>()
            ThreadPool.shared.execute { ran.append(.now) }
            #expect(await ran.first { _ in true } != nil)
        }
        for _ in 0..<blocked { block.signal() }
    }

    /// However many there are, one thread is woken for them, once. Such a job may be a look into a file system that
    /// does not answer.
    @Test func whatIsBriefAndBlocksHoldsUpNoneOfTheOthers() async {
        let moment = Moment.now + .milliseconds(10)
        let block = DispatchSemaphore(value: 0)
        let ran = Log<Int>()
        for number in 0..<20 {
            ThreadPool.shared.schedule(at: moment, isBrief: true) {
                if number % 10 == 0 { block.wait() }
                ran.append(number)
            }
        }
        #expect(await ran.reach { $0.count == 18 })
        for _ in 0..<2 { block.signal() }
        #expect(await ran.reach { $0.count == 20 })
    }

    /// All threads are blocked, and earlier jobs wait for one, when a scheduled job becomes due.
    @Test func G8_whatIsDueIsDoneThoughAllThreadsAreBlocked() async {
        let pool = ThreadPool()
        let (block, ran) = (DispatchSemaphore(value: 0), Log<Int>())
        for number in 0..<80 {
            pool.execute {
                block.wait()
                ran.append(number)
            }
        }
        for _ in 0..<3 {
            let rang = Gate()
            pool.schedule(at: .now + .milliseconds(100)) { rang.open() }
            #expect(await rang.opened())
        }
        #expect(ran.elements.isEmpty)
        for _ in 0..<80 { block.signal() }
        #expect(await ran.reach { $0.count == 80 })
    }

    /// Nor does a due job wait for the threads that arrive one after the other while each handler blocks.
    @Test func G8_whatIsDueComesBeforeHandlers() async {
        let pool = ThreadPool()
        let (block, ran, rang) = (DispatchSemaphore(value: 0), Log<Int>(), Gate())
        // Scheduled at once, so that it is due while most of the threads have yet to arrive.
        pool.execute {
            for number in 0..<80 {
                pool.execute {
                    block.wait()
                    ran.append(number)
                }
            }
            pool.schedule(at: .now) { rang.open() }
            block.wait()
        }
        #expect(await rang.opened())
        #expect(ran.elements.isEmpty)
        for _ in 0..<81 { block.signal() }
        #expect(await ran.reach { $0.count == 80 })
    }

    @Test func keepsDeadlines() async {
        let rang = Log<Duration>()
        let start = Moment.now
        ThreadPool.shared.schedule(at: start + .milliseconds(30)) { rang.append(Moment.now - start) }
        #expect(await rang.first { _ in true } ?? .zero >= .milliseconds(30))
    }

    @Test func whatNoClockReachesIsFarOff() {
        #expect(Moment.now + .seconds(Int64.max) > .now + .seconds(1 << 29))
        #expect(Moment.now + .seconds(Int64.min) < .now)
        #expect(Moment.after(.seconds(Int64.max)) == nil)
    }

    @Test func aCancelledDeadlinePasses() async {
        var wasInTime = false
        while !wasInTime {
            let rang = Log<String>()
            let start = Moment.now
            let cancelled = ThreadPool.shared.schedule(at: start + .milliseconds(10)) { rang.append("cancelled") }
            ThreadPool.shared.cancel(cancelled)
            // A slow machine may get here too late. Then the test proves nothing.
            wasInTime = Moment.now < start + .milliseconds(10)
            ThreadPool.shared.schedule(at: start + .milliseconds(30)) { rang.append("kept") }
            let first = await rang.first { _ in true }
            if wasInTime { #expect(first == "kept") }
        }
    }

    /// Is woken all the time, with or without news, and logs how its thread's slice changes.
    private final class RestlessSource: EventSource {
        let hasNews = Guarded(true)
        let isOver = Guarded(false)
        let slices = Log<Int64>()

        func readEvents() -> Bool {
            if let slice = Thread.slice(of: 0), slice != slices.elements.last { slices.append(slice) }
            if hasNews.withLock({ $0 }) { ThreadPool.shared.execute {} }
            return !isOver.withLock { $0 }
        }

        func mountsChanged() {}
        func wakeReader() {}
    }

    @Test(.enabled(if: Slices.canBeSet))
    func aReaderThatIsOfUseEachTimeIsRunAtOnce() async {
        let source = RestlessSource()
        ThreadPool.shared.read(source)
        #expect(await source.slices.first { $0 == Promptness.slice } != nil)
        source.hasNews.withLock { $0 = false }
        #expect(await source.slices.wait { $0.last == Promptness.slice ? nil : $0.last } == Thread.slice(of: 0))
        source.isOver.withLock { $0 = true }
    }
}
