import SystemCalls
import Testing

@testable import FileEvents

struct ThreadPoolStateTests {
    private final class Source: EventSource {
        func readEvents() -> Bool { false }
    }

    private let start = Moment(nanoseconds: 0)
    private let tooLong = Duration.nanoseconds(ThreadPoolState.stuckAfter)

    /// G8: as many as wait get a thread at once; one after the other each blocked one would delay the last by 4 ms.
    @Test func allJobsThatWaitTooLongGetThreads() {
        var state = ThreadPoolState()
        for _ in 0..<31 { state.jobs.append({}, since: start) }
        #expect(state.takeFromStuckThreads(now: start + .milliseconds(3)) == 0)
        #expect(state.takeFromStuckThreads(now: start + tooLong) == 31)
    }

    /// What events wait for does not wait for handlers, and gets a thread like these where it waits for too long.
    @Test func whatIsUrgentIsRunBeforeAllOthers() {
        var state = ThreadPoolState()
        let ran = Guarded<[Int]>([])
        for number in 1...3 { state.jobs.append({ ran.withLock { $0.append(number) } }, since: start) }
        for number in 4...5 { state.urgentJobs.append({ ran.withLock { $0.append(number) } }, since: start) }
        #expect(state.takeFromStuckThreads(now: start + tooLong) == 5)
        while state.hasJobs, case .run(let job) = state.nextTask(of: ThreadPoolState.PoolThread()) { job() }
        #expect(ran.withLock { $0 } == [4, 5, 1, 2, 3])
    }

    /// G8: many short jobs keep a reader from reading as one long one does.
    @Test func aReaderThatRunsOneJobAfterTheOtherIsReplaced() {
        var state = ThreadPoolState()
        let thread = ThreadPoolState.PoolThread()
        state.add(Source())
        state.threadWasSpawned()
        _ = state.nextTask(of: thread)
        for time in 0..<4 {
            let now = start + .milliseconds(time)
            state.jobs.append({}, since: now)
            #expect(state.takeFromStuckThreads(now: now) == 0)
            _ = state.nextJob(ofReader: thread, now: now)
        }
        #expect(state.takeFromStuckThreads(now: start + tooLong) == 1)
        state.threadWasSpawned()
        guard case .read = state.nextTask(of: ThreadPoolState.PoolThread()) else {
            Issue.record("nobody reads")
            return
        }
    }

    /// G8: whenever the supervisor happens to look, it looks again as soon as the job has lasted for too long.
    @Test(arguments: 0...3) func aJobIsLookedAtWhenItsTimeIsUp(_ look: Int) {
        var state = ThreadPoolState()
        let thread = ThreadPoolState.PoolThread()
        state.add(Source())
        state.threadWasSpawned()
        _ = state.nextTask(of: thread)
        state.jobs.append({}, since: start)
        _ = state.nextJob(ofReader: thread, now: start)
        let first = state.firstLook(now: start)
        #expect(first == start + tooLong)
        let now = start + .milliseconds(look)
        #expect(state.takeFromStuckThreads(now: now) == 0)
        let next = state.nextLook(now: now)
        #expect(next == start + tooLong)
    }

    /// G8: so is one that waits behind a thread which is stuck; the alarm may have rung for others just after it came.
    @Test(arguments: 0...3) func aJobThatWaitsIsLookedAtWhenItsTimeIsUp(_ look: Int) {
        var state = ThreadPoolState()
        state.threadWasSpawned()
        // This one has waited for too long, and has got its thread.
        state.jobs.append({}, since: start + (.milliseconds(look) - tooLong))
        state.jobs.append({}, since: start)
        let now = start + .milliseconds(look)
        #expect(state.takeFromStuckThreads(now: now) == 1)
        let next = state.nextLook(now: now)
        #expect(next == start + tooLong)
    }

    /// G8: what comes behind a handler that blocks may block, too, and what comes behind that waits no second time as long.
    @Test func jobsWaitForAShorterTimeWhileAHandlerBlocks() {
        var state = ThreadPoolState()
        let (blocked, next) = (ThreadPoolState.PoolThread(), ThreadPoolState.PoolThread())
        state.add(Source())
        state.threadWasSpawned()
        _ = state.nextTask(of: blocked)
        state.jobs.append({}, since: start)
        _ = state.nextJob(ofReader: blocked, now: start)
        var now = start + tooLong
        #expect(state.takeFromStuckThreads(now: now) == 1)
        state.threadWasSpawned()
        _ = state.nextTask(of: next)
        // It has read of 31 changes, and begins with the first.
        for _ in 0..<31 { state.jobs.append({}, since: now) }
        _ = state.nextJob(ofReader: next, now: now)
        let hurried = now + .nanoseconds(ThreadPoolState.hurriedAfter)
        #expect(state.firstLook(now: now) == hurried)
        #expect(state.nextLook(now: now) == hurried)
        now = hurried
        #expect(state.takeFromStuckThreads(now: now) == 30)
        for _ in 0..<30 {
            state.threadWasSpawned()
            _ = state.nextTask(of: ThreadPoolState.PoolThread())
        }
        // All but the reader are done: it is as before.
        _ = state.nextJob(ofReader: next, now: now)
        #expect(state.workers == 31)
        for _ in 0..<31 { _ = state.nextTask(of: ThreadPoolState.PoolThread()) }
        #expect(state.workers == 0)
        state.jobs.append({}, since: now)
        #expect(state.takeFromStuckThreads(now: now + .nanoseconds(ThreadPoolState.hurriedAfter)) == 0)
    }

    /// Where many wait, one after the other, they are not looked at one by one.
    @Test func jobsThatWaitAreLookedAtTogether() {
        var state = ThreadPoolState()
        state.threadWasSpawned()
        for index in 0..<400 { state.jobs.append({}, since: start + .microseconds(10 * index)) }
        var now = start + tooLong
        var looks = 0
        while now < start + tooLong + tooLong {
            looks += 1
            now = state.nextLook(now: now) ?? start + .seconds(9)
        }
        #expect(looks <= 9)
    }

    /// G8: an event waits behind one blocked handler to be read, and behind another one to be told. That is not all: two
    /// threads have to wake up, and in a storm the reader rests for a millisecond.
    @Test func anEventThatWaitsBehindTwoHandlersIsToldInTime() {
        var state = ThreadPoolState()
        var now = start
        state.add(Source())
        // With the second handler's job comes the one that waits.
        for jobs in 1...2 {
            let thread = ThreadPoolState.PoolThread()
            state.threadWasSpawned()
            _ = state.nextTask(of: thread)
            for _ in 0..<jobs { state.jobs.append({}, since: now) }
            _ = state.nextJob(ofReader: thread, now: now)
            while state.takeFromStuckThreads(now: now) == 0 { now = state.nextLook(now: now) ?? start + .seconds(9) }
        }
        #expect(now <= start + .milliseconds(8))
    }

    /// A reader whose jobs come one soon after the other finds the alarm set; without any it soon rings no more. One that
    /// comes now and then is looked at once.
    @Test func theSupervisorLooksTwiceMoreWhereJobsAreFrequent() {
        var state = ThreadPoolState()
        let thread = ThreadPoolState.PoolThread()
        state.add(Source())
        state.threadWasSpawned()
        _ = state.nextTask(of: thread)
        var now = start
        for (pause, looks) in [(10, 0), (9, 2), (5, 2), (10, 0), (30, 0), (0, 0), (9, 2), (1, 2)] {
            now = now + .milliseconds(pause)
            // One change may make several jobs.
            for _ in 0..<2 {
                state.jobs.append({}, since: now)
                _ = state.nextJob(ofReader: thread, now: now)
                let first = state.firstLook(now: now)
                #expect(first == now + tooLong)
            }
            _ = state.nextJob(ofReader: thread, now: now)
            let none = state.firstLook(now: now)
            #expect(none == nil)
            var later = now
            for _ in 0..<looks {
                later = later + tooLong
                let next = state.nextLook(now: later)
                #expect(next == later + tooLong)
            }
            let last = state.nextLook(now: later)
            #expect(last == nil)
        }
        _ = state.deadlines.schedule(at: start + .seconds(9)) {}
        let deadline = state.nextLook(now: now)
        #expect(deadline == start + .seconds(9))
    }

    /// No thread was to be had for it when it came.
    @Test func aSourceThatNobodyReadsWantsAThreadUntilItHasOne() {
        let thread = ThreadPoolState.PoolThread()
        var state = ThreadPoolState()
        state.add(Source())
        for _ in 0..<3 { #expect(state.takeFromStuckThreads(now: start) == 1) }
        _ = state.nextTask(of: thread)
        #expect(state.takeFromStuckThreads(now: start) == 0)
    }

    @Test func aSourceForWhichAThreadWasRefusedLacksAReaderUntilOneComes() {
        var state = ThreadPoolState()
        state.add(Source())
        #expect(!state.lacksReader)
        state.threadWasRefused()
        #expect(state.lacksReader)
        state.threadWasSpawned()
        #expect(!state.lacksReader)
    }

    @Test func oneThreadIsParkedWhileThePoolIsHeld() {
        let threads = [ThreadPoolState.PoolThread(), ThreadPoolState.PoolThread()]
        var state = ThreadPoolState()
        state.hold()
        for thread in threads {
            state.threadWasSpawned()
            _ = state.nextTask(of: thread)
        }
        #expect(state.workers == 0)
        let woken = [state.unpark(), state.unpark()]
        #expect(woken[0] === threads[0] && woken[1] == nil)
        #expect(state.workers == 1)
        state.release()
        #expect(!state.isNeeded)
        guard case .end = state.nextTask(of: threads[0]) else {
            Issue.record("a thread that nobody needs goes on")
            return
        }
        #expect(state.workers == 0)
    }

    @Test func theSupervisorEndsWhenNothingIsNeeded() {
        var state = ThreadPoolState()
        state.hold()
        state.arm(Alarm(), at: start)
        state.disarm()
        #expect(state.armed == nil)
        let endsWhileHeld = state.endSupervisorIfUnneeded()
        #expect(!endsWhileHeld && state.alarm != nil)
        state.release()
        state.arm(Alarm(), at: start)
        let ends = state.endSupervisorIfUnneeded()
        #expect(ends && state.alarm == nil && state.armed == nil)
    }
}
