import SystemCalls
import Testing

@testable import FileEvents

struct EventLoopStateTests {
    private final class Source: EventSource {
        func readEvents() -> Bool { false }
    }

    private let start = Moment(nanoseconds: 0)

    /// G8: as many as wait get a thread at once; one after the other each blocked one would delay the last by 5 ms.
    @Test func allJobsThatWaitTooLongGetThreads() {
        var state = EventLoopState()
        for _ in 0..<31 { state.jobs.append({}, since: start) }
        #expect(state.takeFromStuckThreads(now: start + .milliseconds(4)) == 0)
        #expect(state.takeFromStuckThreads(now: start + .milliseconds(5)) == 31)
    }

    /// G8: many short jobs keep a reader from reading as one long one does.
    @Test func aReaderThatRunsOneJobAfterTheOtherIsReplaced() {
        var state = EventLoopState()
        let thread = EventLoopState.PoolThread()
        state.unread.append(Source())
        state.sources = 1
        state.threads = 1
        _ = state.nextTask(of: thread, now: start)
        for time in 0..<5 {
            let now = start + .milliseconds(time)
            state.jobs.append({}, since: now)
            #expect(state.takeFromStuckThreads(now: now) == 0)
            _ = state.nextJob(ofReader: thread, now: now)
        }
        #expect(state.takeFromStuckThreads(now: start + .milliseconds(5)) == 1)
        #expect(state.unread.count == 1)
    }

    /// No thread was to be had for it when it came.
    @Test func aSourceThatNobodyReadsWantsAThreadUntilItHasOne() {
        let thread = EventLoopState.PoolThread()
        var state = EventLoopState()
        state.unread.append(Source())
        state.sources = 1
        for _ in 0..<3 { #expect(state.takeFromStuckThreads(now: start) == 1) }
        _ = state.nextTask(of: thread, now: start)
        #expect(state.takeFromStuckThreads(now: start) == 0)
    }
}
