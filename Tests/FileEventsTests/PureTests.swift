import SystemCalls
import Testing

@testable import FileEvents

struct InotifyEventTests {
    private func record(_ watch: Int32, _ mask: InotifyMask, _ name: String, padding: Int) -> [UInt8] {
        func bytes(_ value: UInt32) -> [UInt8] { unsafe withUnsafeBytes(of: value) { unsafe Array($0) } }
        let padded = Array(name.utf8) + [UInt8](repeating: 0, count: padding)
        return bytes(UInt32(bitPattern: watch)) + bytes(mask.rawValue) + bytes(0) + bytes(UInt32(padded.count)) + padded
    }

    @Test func decodesRecordsOneAfterTheOther() {
        let bytes =
            record(1, .movedTo, "lamp", padding: 12) + record(2, .deleteSelf, "", padding: 0)
            + record(-1, .overflow, "", padding: 0) + record(3, .closeWrite, "größe", padding: 9)
        #expect(
            InotifyEvent.decode(bytes.span) == [
                InotifyEvent(watch: 1, mask: .movedTo, name: "lamp"),
                InotifyEvent(watch: 2, mask: .deleteSelf, name: nil),
                InotifyEvent(watch: -1, mask: .overflow, name: nil),
                InotifyEvent(watch: 3, mask: .closeWrite, name: "größe"),
            ])
    }

    @Test func namesThatComeInARowAreToldApart() {
        let names = ["lamp", "lamp", "lamb", "", "lamp", "a-name-of-more-than-15", "a-name-of-more-than-16", "lamp"]
        let bytes = names.map { record(1, .create, $0, padding: $0.isEmpty ? 0 : 32 - $0.utf8.count) }.joined()
        #expect(InotifyEvent.decode(Array(bytes).span).map { $0.name ?? "" } == names)
    }

    @Test func whatIsCutOffEndsTheList() {
        let bytes = record(1, .movedTo, "lamp", padding: 12)
        for count in 0..<bytes.count { #expect(InotifyEvent.decode(bytes.span.extracting(first: count)).isEmpty) }
    }
}

struct DeadlineQueueTests {
    @Test func answersInOrderOfTime() {
        var queue = DeadlineQueue()
        let order = Guarded<[Int64]>([])
        for time in [5, 3, 9, 1, 7, 3, 8] as [Int64] {
            _ = queue.schedule(at: Moment(nanoseconds: time)) { order.withLock { $0.append(time) } }
        }
        #expect(queue.next() == Moment(nanoseconds: 1))
        for action in queue.due(at: Moment(nanoseconds: 7)) { action() }
        #expect(order.withLock { $0 } == [1, 3, 3, 5, 7])
        #expect(queue.next() == Moment(nanoseconds: 8))
    }

    @Test func whatWasCancelledIsNotDue() {
        var queue = DeadlineQueue()
        let first = queue.schedule(at: Moment(nanoseconds: 1)) {}
        let second = queue.schedule(at: Moment(nanoseconds: 2)) {}
        #expect(queue.cancel(first) != nil)
        #expect(queue.cancel(first) == nil)
        #expect(queue.next() == Moment(nanoseconds: 2))
        #expect(queue.due(at: Moment(nanoseconds: 9)).count == 1)
        #expect(queue.cancel(second) == nil)
        #expect(queue.isEmpty)
        #expect(queue.next() == nil)
    }
}

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
}
