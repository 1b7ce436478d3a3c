import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

struct JobQueueTests {
    @Test func jobsThatWereTakenLeaveNoPlace() throws {
        var queue = JobQueue()
        for number in 0..<3 { queue.append({}, since: Moment(nanoseconds: Int64(number))) }
        // The queue is never empty here.
        for number in 3..<10_000 {
            queue.append({}, since: Moment(nanoseconds: Int64(number)))
            let last = Moment(nanoseconds: Int64(number))
            #expect(queue.firstSince(after: Moment(nanoseconds: -1)) == last.advanced(byNanoseconds: -3))
            #expect(queue.firstSince(after: last.advanced(byNanoseconds: -1)) == last)
            #expect(queue.firstSince(after: last) == nil)
            #expect(queue.popFirst()?.since == Moment(nanoseconds: Int64(number - 3)))
        }
        #expect(queue.count(since: Moment(nanoseconds: 9_998), most: 10) == 2)
        #expect(try privateCount(of: "jobs", in: queue) < 100)
        for number in 9_997..<10_000 { #expect(queue.popFirst()?.since == Moment(nanoseconds: Int64(number))) }
        #expect(queue.isEmpty && queue.popFirst() == nil)
    }

    @Test func jobsComeInTheirOrderHoweverManyWait() {
        var queue = JobQueue()
        var (appended, taken): (Int64, Int64) = (0, 0)
        for round in 0..<200 {
            for _ in 0..<round * 7 % 31 {
                queue.append({}, since: Moment(nanoseconds: appended))
                appended += 1
            }
            for _ in 0..<min(Int(appended - taken), round * 5 % 29) {
                #expect(queue.popFirst()?.since == Moment(nanoseconds: taken))
                taken += 1
            }
        }
        while let next = queue.popFirst() {
            #expect(next.since == Moment(nanoseconds: taken))
            taken += 1
        }
        #expect(taken == appended)
    }
}
