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

    /// Few, because all tests of this process share the pool; the contract's number is tested in a process of its own.
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

    /// However many they are, one thread is woken for them, once; as a look into a file system that does not answer.
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

    /// All threads wait for what is to be done at a moment, and so do jobs that came before it.
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

    /// Nor does it wait for the threads that come one after the other, if each job blocks.
    @Test func G8_whatIsDueComesBeforeHandlers() async {
        let pool = ThreadPool()
        let (block, ran, rang) = (DispatchSemaphore(value: 0), Log<Int>(), Gate())
        // At once, so that it is due while most of the threads have still to come.
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
            // A slow machine may come to it too late: then it says nothing.
            wasInTime = Moment.now < start + .milliseconds(10)
            ThreadPool.shared.schedule(at: start + .milliseconds(30)) { rang.append("kept") }
            let first = await rang.first { _ in true }
            if wasInTime { #expect(first == "kept") }
        }
    }

    /// Is woken all the time, with something to tell or without, and sees how its thread's slice changes.
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
