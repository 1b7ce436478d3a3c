import SystemCalls
import Testing

@testable import FileEvents

struct ThreadPoolStateTests {
    private final class Source: EventSource {
        func readEvents() -> Bool { false }
        func mountsChanged() {}
        func wakeReader() {}
    }

    /// A thread that was called, and has arrived.
    private func newThread(_ state: inout ThreadPoolState) throws -> ThreadPoolState.PoolThread {
        let called = state.call()
        let thread: ThreadPoolState.PoolThread? = if case .new(let thread) = called { thread } else { nil }
        let new = try #require(thread)
        let hasCome = state.arrive(new)
        #expect(hasCome)
        return new
    }

    /// Returns how many helpers the pool wants afterwards.
    private func takeFromStuckThreads(_ state: inout ThreadPoolState, now: Moment) -> Int {
        state.takeFromStuckThreads(now: now)
        return state.wantedHelpers(now: now)
    }

    private let start = Moment(nanoseconds: 0)
    private let tooLong = Duration.nanoseconds(ThreadPoolState.stuckAfter)

    /// G8: each waiting job gets a thread. If threads came one after the other, each blocked job would delay the last
    /// one by 4 ms.
    @Test func allJobsThatWaitTooLongGetThreads() {
        var state = ThreadPoolState()
        for _ in 0..<31 { state.jobs.append({}, since: start) }
        #expect(state.wantedHelpers(now: start + .milliseconds(3)) == 0)
        #expect(state.wantedHelpers(now: start + tooLong) == 31)
    }

    /// G8: helpers are called a few at a time, and each one that arrives calls the next, until all jobs are running or
    /// no more threads are available.
    @Test func whoeverComesCallsTheNextHelper() {
        var state = ThreadPoolState()
        for _ in 0..<31 { state.jobs.append({}, since: start) }
        let early = state.callHelper(now: start)
        #expect(early == nil)
        let now = start + tooLong
        var called: [ThreadPoolState.PoolThread] = []
        func callHelpers() {
            while case .new(let thread) = state.callHelper(now: now) { called.append(thread) }
        }
        callHelpers()
        #expect(called.count == 2)
        for ran in 1...31 {
            let hasCome = state.arrive(called.removeFirst())
            #expect(hasCome)
            guard case .run = state.nextTask(of: ThreadPoolState.PoolThread()) else {
                Issue.record("job \(ran) was not run")
                return
            }
            callHelpers()
            #expect(called.count == min(2, 31 - ran))
        }
        #expect(!state.hasJobs && state.workers == 31)
    }

    /// G8: where all threads exist, and all but a parked one are blocked, a waiting job is noticed in time, too.
    @Test func theLastThreadIsCalledFromItsRest() throws {
        var state = ThreadPoolState()
        state.hold()
        var threads: [ThreadPoolState.PoolThread] = []
        while case .new(let thread) = state.call() { threads.append(thread) }
        for thread in threads {
            let hasCome = state.arrive(thread)
            #expect(hasCome)
        }
        for thread in threads.dropLast() {
            state.jobs.append({}, since: start)
            _ = state.nextTask(of: thread)
        }
        guard case .park = state.nextTask(of: threads[threads.count - 1]) else {
            Issue.record("it is not parked")
            return
        }
        #expect(state.firstLook(now: start) == nil)
        state.jobs.append({}, since: start)
        #expect(state.firstLook(now: start) == start + tooLong)
        #expect(state.nextLook(now: start) == start + tooLong)
        #expect(state.unpark() === threads.last)
    }

    /// If the jobs are short, the first helpers to arrive may do them all. Then no more are called.
    @Test func nobodyIsCalledWhereTheJobsAreDone() throws {
        var state = ThreadPoolState()
        for _ in 0..<31 { state.jobs.append({}, since: start) }
        let thread = try newThread(&state)
        while state.hasJobs { _ = state.nextTask(of: thread) }
        let helper = state.callHelper(now: start + tooLong)
        #expect(helper == nil)
    }

    /// A thread that could not be created is no longer expected, and another may be called.
    @Test func aThreadThatCannotComeIsNotWaitedFor() throws {
        var state = ThreadPoolState()
        for _ in 0..<31 { state.jobs.append({}, since: start) }
        for _ in 0..<200 {
            guard case .new(let thread) = state.callHelper(now: start + tooLong) else {
                Issue.record("nobody is called any more")
                return
            }
            state.couldNotCome(thread)
        }
        #expect(state.workers == 0)
        _ = try newThread(&state)
        #expect(state.workers == 1)
    }

    /// Urgent jobs, which events wait for, do not wait for handlers. Like handlers, they get threads when they wait for
    /// too long.
    @Test func whatIsUrgentIsRunBeforeAllOthers() {
        var state = ThreadPoolState()
        let ran = Guarded<[Int]>([])
        for number in 1...3 { state.jobs.append({ ran.withLock { $0.append(number) } }, since: start) }
        for number in 4...5 { state.urgentJobs.append({ ran.withLock { $0.append(number) } }, since: start) }
        #expect(state.wantedHelpers(now: start + tooLong) == 5)
        while state.hasJobs, case .run(let job) = state.nextTask(of: ThreadPoolState.PoolThread()) { job() }
        #expect(ran.withLock { $0 } == [4, 5, 1, 2, 3])
    }

    /// G8: many short jobs keep a reader from reading, just as one long job does.
    @Test func aReaderThatRunsOneJobAfterTheOtherIsReplaced() throws {
        var state = ThreadPoolState()
        state.add(Source())
        let thread = try newThread(&state)
        _ = state.nextTask(of: thread)
        for time in 0..<4 {
            let now = start + .milliseconds(time)
            state.jobs.append({}, since: now)
            #expect(takeFromStuckThreads(&state, now: now) == 0)
            _ = state.nextJob(ofReader: thread, now: now)
        }
        #expect(takeFromStuckThreads(&state, now: start + tooLong) == 1)
        guard case .read = state.nextTask(of: try newThread(&state)) else {
            Issue.record("nobody reads")
            return
        }
    }

    /// A source is taken from a thread that is stuck in its job, and gets a new reader. Another job waits.
    private func replaceReader(_ state: inout ThreadPoolState, now: Moment) throws -> ThreadPoolState.PoolThread {
        state.add(Source())
        let stuck = try newThread(&state)
        _ = state.nextTask(of: stuck)
        state.jobs.append({}, since: start)
        _ = state.nextJob(ofReader: stuck, now: start)
        #expect(takeFromStuckThreads(&state, now: now) == 1)
        let next = try newThread(&state)
        _ = state.nextTask(of: next)
        state.jobs.append({}, since: now)
        return next
    }

    /// G8: the thread that replaces a stuck reader reads before it runs the waiting job, which may block as well, as
    /// may the one after that. Another thread is soon called for the job.
    @Test func whoFollowsAStuckReaderReadsFirst() throws {
        var state = ThreadPoolState()
        let now = start + tooLong
        let reader = try replaceReader(&state, now: now)
        guard case .read = state.nextJob(ofReader: reader, now: now) else {
            Issue.record("it does not read")
            return
        }
        #expect(state.nextLook(now: now) == now + .nanoseconds(ThreadPoolState.hurriedAfter))
        guard case .run = state.nextJob(ofReader: reader, now: now) else {
            Issue.record("it reads again, and runs nothing")
            return
        }
    }

    /// But if no thread is left for the waiting job, the reader runs it first: there might be nothing to read.
    @Test func theLastThreadRunsWhatWaitsBeforeItReads() throws {
        var state = ThreadPoolState()
        let now = start + tooLong
        let reader = try replaceReader(&state, now: now)
        while state.call() != nil {}
        guard case .run = state.nextJob(ofReader: reader, now: now) else {
            Issue.record("what waits is not run")
            return
        }
    }

    /// G8: whenever the supervisor happens to look, it looks again as soon as the job has run for too long.
    @Test(arguments: 0...3) func aJobIsLookedAtWhenItsTimeIsUp(_ look: Int) throws {
        var state = ThreadPoolState()
        state.add(Source())
        let thread = try newThread(&state)
        _ = state.nextTask(of: thread)
        state.jobs.append({}, since: start)
        _ = state.nextJob(ofReader: thread, now: start)
        let first = state.firstLook(now: start)
        #expect(first == start + tooLong)
        let now = start + .milliseconds(look)
        #expect(takeFromStuckThreads(&state, now: now) == 0)
        let next = state.nextLook(now: now)
        #expect(next == start + tooLong)
    }

    /// G8: the same for a job that waits behind a stuck thread. The alarm may have rung for other jobs just after this
    /// one came.
    @Test(arguments: 0...3) func aJobThatWaitsIsLookedAtWhenItsTimeIsUp(_ look: Int) throws {
        var state = ThreadPoolState()
        _ = try newThread(&state)
        // The first job has waited for too long, and has got its thread.
        state.jobs.append({}, since: start + (.milliseconds(look) - tooLong))
        state.jobs.append({}, since: start)
        let now = start + .milliseconds(look)
        #expect(takeFromStuckThreads(&state, now: now) == 1)
        let next = state.nextLook(now: now)
        #expect(next == start + tooLong)
    }

    /// G8: the job behind a blocked handler may block, too; the one behind that does not have to wait for as long
    /// again.
    @Test func jobsWaitForAShorterTimeWhileAHandlerBlocks() throws {
        var state = ThreadPoolState()
        state.add(Source())
        let blocked = try newThread(&state)
        _ = state.nextTask(of: blocked)
        state.jobs.append({}, since: start)
        _ = state.nextJob(ofReader: blocked, now: start)
        var now = start + tooLong
        #expect(takeFromStuckThreads(&state, now: now) == 1)
        let next = try newThread(&state)
        _ = state.nextTask(of: next)
        // The reader reads of 31 changes, and begins with the first.
        _ = state.nextJob(ofReader: next, now: now)
        for _ in 0..<31 { state.jobs.append({}, since: now) }
        _ = state.nextJob(ofReader: next, now: now)
        let hurried = now + .nanoseconds(ThreadPoolState.hurriedAfter)
        #expect(state.firstLook(now: now) == hurried)
        #expect(state.nextLook(now: now) == hurried)
        now = hurried
        // The reader is stuck in the first, too.
        #expect(takeFromStuckThreads(&state, now: now) == 31)
        for _ in 0..<31 { _ = state.nextTask(of: try newThread(&state)) }
        // All but the reader are done: the wait is as long as before.
        #expect(state.workers == 32)
        for _ in 0..<32 { _ = state.nextTask(of: ThreadPoolState.PoolThread()) }
        #expect(state.workers == 0)
        state.jobs.append({}, since: now)
        #expect(takeFromStuckThreads(&state, now: now + .nanoseconds(ThreadPoolState.hurriedAfter)) == 0)
    }

    /// Jobs that wait one after the other are not looked at one by one.
    @Test func jobsThatWaitAreLookedAtTogether() throws {
        var state = ThreadPoolState()
        _ = try newThread(&state)
        for index in 0..<400 { state.jobs.append({}, since: start + .microseconds(10 * index)) }
        var now = start + tooLong
        var looks = 0
        while now < start + tooLong + tooLong {
            looks += 1
            now = state.nextLook(now: now) ?? start + .seconds(9)
        }
        #expect(looks <= 9)
    }

    /// G8: an event waits behind one blocked handler to be read, and behind another one to be reported. More has to fit
    /// into the limit: two threads have to wake up, and in a storm the reader rests for a millisecond.
    @Test func anEventThatWaitsBehindTwoHandlersIsToldInTime() throws {
        var state = ThreadPoolState()
        var now = start
        state.add(Source())
        // The second handler's job comes together with the job that waits.
        for jobs in 1...2 {
            let thread = try newThread(&state)
            _ = state.nextTask(of: thread)
            _ = state.nextJob(ofReader: thread, now: now)
            for _ in 0..<jobs { state.jobs.append({}, since: now) }
            _ = state.nextJob(ofReader: thread, now: now)
            while takeFromStuckThreads(&state, now: now) == 0 { now = state.nextLook(now: now) ?? start + .seconds(9) }
        }
        #expect(now <= start + .milliseconds(8))
    }

    /// A reader whose jobs follow soon after one another finds the alarm set; without jobs the alarm soon stops
    /// ringing. A job that comes only now and then gets a single look.
    @Test func theSupervisorLooksTwiceMoreWhereJobsAreFrequent() throws {
        var state = ThreadPoolState()
        state.add(Source())
        let thread = try newThread(&state)
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
        _ = state.deadlines.schedule(at: start + .seconds(9), isBrief: false) {}
        let deadline = state.nextLook(now: now)
        #expect(deadline == start + .seconds(9))
    }

    /// No thread was available for the source when it was added.
    @Test func aSourceThatNobodyReadsWantsAThreadUntilItHasOne() {
        let thread = ThreadPoolState.PoolThread()
        var state = ThreadPoolState()
        state.add(Source())
        for _ in 0..<3 { #expect(takeFromStuckThreads(&state, now: start) == 1) }
        _ = state.nextTask(of: thread)
        #expect(takeFromStuckThreads(&state, now: start) == 0)
    }

    @Test func aSourceForWhichAThreadWasRefusedLacksAReaderUntilOneComes() throws {
        var state = ThreadPoolState()
        state.add(Source())
        #expect(!state.lacksReader)
        guard case .new(let thread) = state.call() else {
            Issue.record("nobody is called")
            return
        }
        state.couldNotCome(thread)
        #expect(state.lacksReader)
        _ = state.call()
        #expect(state.lacksReader)
        // Before the thread has arrived.
        state.wasCreated()
        #expect(!state.lacksReader)
    }

    @Test func oneThreadIsParkedWhileThePoolIsHeld() throws {
        var state = ThreadPoolState()
        state.hold()
        let threads = [try newThread(&state), try newThread(&state)]
        for thread in threads { _ = state.nextTask(of: thread) }
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
        let better = Alarm()
        state.disarm(better)
        #expect(state.armed == nil && state.alarm === better)
        let endsWhileHeld = state.endSupervisorIfUnneeded()
        #expect(!endsWhileHeld && state.alarm != nil)
        state.release()
        state.arm(Alarm(), at: start)
        let ends = state.endSupervisorIfUnneeded()
        #expect(ends && state.alarm == nil && state.armed == nil)
    }
}
