import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

struct InotifyEventTests {
    private func record(_ watch: Int32, _ mask: InotifyMask, _ name: String, padding: Int) -> [UInt8] {
        func bytes(_ value: UInt32) -> [UInt8] { unsafe withUnsafeBytes(of: value) { unsafe Array($0) } }
        let padded = Array(name.utf8) + [UInt8](repeating: 0, count: padding)
        return bytes(UInt32(bitPattern: watch)) + bytes(mask.rawValue) + bytes(0) + bytes(UInt32(padded.count)) + padded
    }

    private func decode(_ bytes: [UInt8]) -> [InotifyEvent] {
        var names = RecentNames()
        return InotifyEvent.decode(bytes.span, names: &names)
    }

    @Test func decodesRecordsOneAfterTheOther() {
        let bytes =
            record(1, .movedTo, "lamp", padding: 12) + record(2, .deleteSelf, "", padding: 0)
            + record(-1, .overflow, "", padding: 0) + record(3, .closeWrite, "größe", padding: 9)
        #expect(
            decode(bytes) == [
                InotifyEvent(watch: 1, mask: .movedTo, name: "lamp"),
                InotifyEvent(watch: 2, mask: .deleteSelf, name: nil),
                InotifyEvent(watch: -1, mask: .overflow, name: nil),
                InotifyEvent(watch: 3, mask: .closeWrite, name: "größe"),
            ])
    }

    @Test func namesThatComeInARowAreToldApart() {
        let names = ["lamp", "lamp", "lamb", "", "lamp", "a-name-of-more-than-15", "a-name-of-more-than-16", "lamp"]
        let bytes = names.map { record(1, .create, $0, padding: $0.isEmpty ? 0 : 32 - $0.utf8.count) }.joined()
        #expect(decode(Array(bytes)).map { $0.name ?? "" } == names)
    }

    /// Also those that are alike as far as they go, and more of them than are remembered.
    @Test func namesAreRememberedFromOneReadToTheNext() {
        var recent = RecentNames()
        let names = ["a", "ab", "abcdefg", "abcdefgh", "abcdefghi", "abcdefgx", "größe", "grosse"]
        for step in 0..<200 {
            let some = (0..<3).map { names[(step * 7 + $0 * 3) % names.count] }
            let bytes = some.map { record(1, .create, $0, padding: 16 - $0.utf8.count) }.joined()
            let events = InotifyEvent.decode(Array(bytes).span, names: &recent)
            #expect(events.map(\.name) == some)
        }
    }

    /// Repaired they would be another file's.
    @Test func namesThatAreNotUTF8AreEmpty() {
        var bytes = record(1, .modify, "lamp", padding: 12)
        bytes[17] = 0xFF
        #expect(decode(bytes + record(1, .modify, "lamp", padding: 12) + bytes).map(\.name) == ["", "lamp", ""])
    }

    @Test func whatIsCutOffEndsTheList() {
        let bytes = record(1, .movedTo, "lamp", padding: 12)
        for count in 0..<bytes.count { #expect(decode(Array(bytes.prefix(count))).isEmpty) }
    }
}

struct ReadingPaceTests {
    private func pace(_ intervals: [Int64], events: Int = 1) -> ReadingPace {
        var pace = ReadingPace()
        var now = Moment(nanoseconds: 1_000_000_000)
        for interval in intervals {
            now = now.advanced(byNanoseconds: interval)
            pace.hasRead(events: events, at: now)
        }
        return pace
    }

    private let micro: Int64 = 1000

    @Test func changesByThousandsASecondAreReadWithoutRest() {
        // A foreign writer's save wakes three times within some microseconds.
        for gap in [101, 200, 1000] {
            var intervals: [Int64] = []
            for _ in 0..<1000 { intervals += [Int64(gap) * micro, 10 * micro, 10 * micro] }
            for count in stride(from: 0, to: intervals.count, by: 100) {
                #expect(!pace(Array(intervals.prefix(count))).rests)
            }
        }
    }

    @Test func aStormIsReadAfterRests() {
        let storm = [Int64](repeating: 20 * micro, count: 17)
        #expect(!pace(Array(storm.prefix(16))).rests)
        var pace = pace(storm)
        #expect(pace.rests)
        var now = Moment(nanoseconds: 2_000_000_000)
        for _ in 0..<10 {
            now = now.advanced(byNanoseconds: ReadingPace.rest)
            pace.hasRead(events: 20, at: now)
            #expect(pace.rests)
        }
        // Who is behind reads on.
        pace.hasRead(events: 500, isFull: true, at: now)
        #expect(!pace.rests)
        pace.hasRead(events: 20, at: now)
        #expect(pace.rests)
        pace.hasRead(events: 2, at: now.advanced(byNanoseconds: ReadingPace.rest))
        #expect(!pace.rests)
    }
}

struct PromptnessTests {
    @Test func theReaderIsPromptAfterARunOfWakeUpsThatWereOfUse() {
        var promptness = Promptness()
        for _ in 0..<3 {
            var count = 0
            while !promptness.wasWoken(isOfUse: true) {
                count += 1
                #expect(!promptness.isPrompt)
                if count > 1000 { break }
            }
            #expect(count == 31)
            for _ in 0..<100 {
                let hasChanged = promptness.wasWoken(isOfUse: true)
                #expect(!hasChanged)
                #expect(promptness.isPrompt)
            }
            for isFirst in [true, false] {
                let hasChanged = promptness.wasWoken(isOfUse: false)
                #expect(hasChanged == isFirst)
                #expect(!promptness.isPrompt)
            }
        }
    }

    /// A foreign save: the temporary file changes, is closed, and is renamed.
    @Test func whoIsWokenInVainNowAndThenIsNot() {
        var promptness = Promptness()
        for _ in 0..<100 {
            for isOfUse in [false, false, true] {
                let hasChanged = promptness.wasWoken(isOfUse: isOfUse)
                #expect(!hasChanged)
            }
        }
        #expect(!promptness.isPrompt)
    }
}

@Suite(.timeLimit(.minutes(1))) struct EventBatchesTests {
    private final class Client: WatchClient {
        func process(_ events: [InotifyEvent], lostEvents: Bool) {}
    }

    @Test func eachOfManyClientsIsToldInOrder() {
        let clients = (0..<30_000).map { _ in Client() }
        let events = (1...3).map { InotifyEvent(watch: $0, mask: .modify, name: "f") }
        var batches = EventBatches()
        for client in clients { batches.append(events[0], for: client) }
        for client in clients.reversed() { batches.append(events[1], for: client) }
        for client in clients { batches.append(nil, for: client) }
        batches.append(events[2], for: clients[7])
        #expect(batches.all.count == clients.count)
        for (index, batch) in batches.all.enumerated() {
            #expect(batch.client === clients[index])
            #expect(batch.events == (index == 7 ? events : Array(events.prefix(2))))
        }
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

    @Test func whatWasCancelledTakesNoRoom() {
        var queue = DeadlineQueue()
        let last = queue.schedule(at: Moment(nanoseconds: 1)) {}
        for time in 0..<10_000 as Range<Int64> {
            let token = queue.schedule(at: Moment(nanoseconds: 10 + time)) {}
            #expect(queue.cancel(token) != nil)
        }
        #expect(queue.entryCount < 50)
        #expect(queue.next() == Moment(nanoseconds: 1))
        #expect(queue.cancel(last) != nil)
        #expect(queue.next() == nil)
    }

    /// Whatever comes between two questions, the answer is that of a list that is searched each time.
    @Test func saysWhatASearchedListSays() {
        var random = SeededGenerator.ofThisRun()
        var queue = DeadlineQueue()
        var list: [(time: Int64, token: DeadlineQueue.Token)] = []
        for _ in 0..<5000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let time = Int64.random(in: 0..<50, using: &random)
                list.append((time, queue.schedule(at: Moment(nanoseconds: time)) {}))
            case 1:
                guard let index = list.indices.randomElement(using: &random) else { continue }
                #expect(queue.cancel(list.remove(at: index).token) != nil)
            case 2:
                let time = Int64.random(in: 0..<20, using: &random)
                #expect(queue.due(at: Moment(nanoseconds: time)).count == list.count { $0.time <= time })
                list.removeAll { $0.time <= time }
            default: break
            }
            if Bool.random(using: &random) { #expect(queue.next()?.nanoseconds == list.map(\.time).min()) }
        }
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

struct LastLookTests {
    /// Until its age proves that it was not changed again within one tick.
    @Test func aYoungFileIsInDoubtOnce() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "f")
        let young = try Path.linkStatus(of: folder.path("f")).fingerprint
        var last = LastLook()
        let found = [last.note(young), last.note(young)]
        #expect(found == [nil, young])
        // Whoever is slow to ask finds it old.
        let wasOver = last.isDoubtOver()
        #expect(!wasOver || young.provesContent)
        #expect(await eventually { wasOver || last.isDoubtOver() })
        let isOverTwice = last.isDoubtOver()
        #expect(!isOverTwice)
        var another = LastLook()
        _ = another.note(young)
        let isOldInDoubt = another.isDoubtOver()
        #expect(!isOldInDoubt)
    }
}
