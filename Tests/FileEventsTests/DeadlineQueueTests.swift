import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

struct DeadlineQueueTests {
    @Test func answersInOrderOfTime() {
        var queue = DeadlineQueue()
        let order = Guarded<[Int64]>([])
        for time in [5, 3, 9, 1, 7, 3, 8] as [Int64] {
            _ = queue.schedule(at: Moment(nanoseconds: time), isBrief: false) { order.withLock { $0.append(time) } }
        }
        #expect(queue.next() == Moment(nanoseconds: 1))
        for action in queue.due(at: Moment(nanoseconds: 7)).due { action() }
        #expect(order.withLock { $0 } == [1, 3, 3, 5, 7])
        #expect(queue.next() == Moment(nanoseconds: 8))
    }

    @Test func whatWasCancelledIsNotDue() {
        var queue = DeadlineQueue()
        let first = queue.schedule(at: Moment(nanoseconds: 1), isBrief: false) {}
        let second = queue.schedule(at: Moment(nanoseconds: 2), isBrief: false) {}
        #expect(queue.cancel(first) != nil)
        #expect(queue.cancel(first) == nil)
        #expect(queue.next() == Moment(nanoseconds: 2))
        #expect(queue.due(at: Moment(nanoseconds: 9)).due.count == 1)
        #expect(queue.cancel(second) == nil)
        #expect(queue.isEmpty)
        #expect(queue.next() == nil)
    }

    @Test func whatWasCancelledTakesNoRoom() throws {
        var queue = DeadlineQueue()
        let last = queue.schedule(at: Moment(nanoseconds: 1), isBrief: false) {}
        for time in 0..<10_000 as Range<Int64> {
            let token = queue.schedule(at: Moment(nanoseconds: 10 + time), isBrief: false) {}
            #expect(queue.cancel(token) != nil)
        }
        #expect(try privateCount(of: "heap", in: queue) < 50)
        #expect(queue.next() == Moment(nanoseconds: 1))
        #expect(queue.cancel(last) != nil)
        #expect(queue.next() == nil)
    }

    /// Whatever operations come between two queries, the queue answers like a list that is searched each time.
    @Test func saysWhatASearchedListSays() {
        var random = SeededGenerator.ofThisRun()
        var queue = DeadlineQueue()
        var list: [(time: Int64, token: DeadlineQueue.Token)] = []
        for _ in 0..<5000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let time = Int64.random(in: 0..<50, using: &random)
                list.append((time, queue.schedule(at: Moment(nanoseconds: time), isBrief: false) {}))
            case 1:
                guard let index = list.indices.randomElement(using: &random) else { continue }
                #expect(queue.cancel(list.remove(at: index).token) != nil)
            case 2:
                let time = Int64.random(in: 0..<20, using: &random)
                #expect(queue.due(at: Moment(nanoseconds: time)).due.count == list.count { $0.time <= time })
                list.removeAll { $0.time <= time }
            default: break
            }
            if Bool.random(using: &random) { #expect(queue.next()?.nanoseconds == list.map(\.time).min()) }
        }
    }

    @Test func whatIsBriefIsToldApart() {
        let done = Log<Int>()
        var queue = DeadlineQueue()
        for number in 1...5 {
            _ = queue.schedule(at: Moment(nanoseconds: 10), isBrief: number != 3) { done.append(number) }
        }
        let cancelled = queue.schedule(at: Moment(nanoseconds: 10), isBrief: true) { done.append(6) }
        _ = queue.schedule(at: Moment(nanoseconds: 11), isBrief: true) { done.append(7) }
        _ = queue.cancel(cancelled)
        let (due, brief) = queue.due(at: Moment(nanoseconds: 10))
        for action in due { action() }
        #expect(done.elements == [3])
        for action in brief { action() }
        #expect(done.elements.sorted() == [1, 2, 3, 4, 5])
        #expect(queue.due(at: Moment(nanoseconds: 11)).brief.count == 1)
        #expect(queue.isEmpty)
    }
}
