import SystemCalls
import Testing

@testable import FileEvents

struct ThreadPoolStateTests {
    private final class Source: EventSource {
        func readEvents() -> Bool { false }
    }

    private let start = Moment(nanoseconds: 0)

    /// G8: as many as wait get a thread at once; one after the other each blocked one would delay the last by 5 ms.
    @Test func allJobsThatWaitTooLongGetThreads() {
        var state = ThreadPoolState()
        for _ in 0..<31 { state.jobs.append({}, since: start) }
        #expect(state.takeFromStuckThreads(now: start + .milliseconds(4)) == 0)
        #expect(state.takeFromStuckThreads(now: start + .milliseconds(5)) == 31)
    }

    /// G8: many short jobs keep a reader from reading as one long one does.
    @Test func aReaderThatRunsOneJobAfterTheOtherIsReplaced() {
        var state = ThreadPoolState()
        let thread = ThreadPoolState.PoolThread()
        state.add(Source())
        state.threadWasSpawned()
        _ = state.nextTask(of: thread)
        for time in 0..<5 {
            let now = start + .milliseconds(time)
            state.jobs.append({}, since: now)
            #expect(state.takeFromStuckThreads(now: now) == 0)
            _ = state.nextJob(ofReader: thread, now: now)
        }
        #expect(state.takeFromStuckThreads(now: start + .milliseconds(5)) == 1)
        state.threadWasSpawned()
        guard case .read = state.nextTask(of: ThreadPoolState.PoolThread()) else {
            Issue.record("nobody reads")
            return
        }
    }

    /// G8: whenever the supervisor happens to look, it looks again as soon as the job has lasted for too long.
    @Test(arguments: 0...4) func aJobIsLookedAtWhenItsTimeIsUp(_ look: Int) {
        var state = ThreadPoolState()
        let thread = ThreadPoolState.PoolThread()
        state.add(Source())
        state.threadWasSpawned()
        _ = state.nextTask(of: thread)
        state.jobs.append({}, since: start)
        _ = state.nextJob(ofReader: thread, now: start)
        let first = state.firstLook(now: start)
        #expect(first == start + .milliseconds(5))
        let now = start + .milliseconds(look)
        #expect(state.takeFromStuckThreads(now: now) == 0)
        let next = state.nextLook(now: now)
        #expect(next == start + .milliseconds(5))
    }

    /// A reader whose jobs come one soon after the other finds the alarm set; without any it soon rings no more.
    @Test func theSupervisorLooksTwiceMoreThanThereIsReason() {
        var state = ThreadPoolState()
        let thread = ThreadPoolState.PoolThread()
        state.add(Source())
        state.threadWasSpawned()
        _ = state.nextTask(of: thread)
        var now = start
        for _ in 0..<3 {
            state.jobs.append({}, since: now)
            _ = state.nextJob(ofReader: thread, now: now)
            let first = state.firstLook(now: now)
            #expect(first == now + .milliseconds(5))
            _ = state.nextJob(ofReader: thread, now: now)
            let none = state.firstLook(now: now)
            #expect(none == nil)
            for _ in 0..<2 {
                now = now + .milliseconds(5)
                let next = state.nextLook(now: now)
                #expect(next == now + .milliseconds(5))
            }
        }
        let last = state.nextLook(now: now)
        #expect(last == nil)
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
