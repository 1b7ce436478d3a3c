import SystemCalls
import Testing

@testable import FileEvents

struct ReadingPaceTests {
    private func pace(_ intervals: [Int64], events: Int = 1) -> ReadingPace {
        var pace = ReadingPace()
        var now = Moment(nanoseconds: 1_000_000_000)
        for interval in intervals {
            now = now.advanced(byNanoseconds: interval)
            pace.noteRead(events: events, isFull: false, at: now)
        }
        return pace
    }

    private let micro: Int64 = 1000

    @Test func changesByThousandsASecondAreReadWithoutRest() {
        // A foreign writer's save wakes the reader three times within some microseconds.
        for gap in [200, 500, 1000] {
            var intervals: [Int64] = []
            for _ in 0..<1000 { intervals += [Int64(gap) * micro, 10 * micro, 10 * micro] }
            for count in stride(from: 0, to: intervals.count, by: 100) {
                #expect(!pace(Array(intervals.prefix(count))).rests)
            }
        }
    }

    @Test func aBurstIsReadWithoutRest() {
        for count in 1...30 {
            #expect(!pace([1000 * micro] + [Int64](repeating: 5 * micro, count: count)).rests)
        }
        // Many events at once, every second.
        #expect(!pace([Int64](repeating: 1_000_000 * micro, count: 1000), events: 500).rests)
    }

    @Test func aStormIsReadAfterRests() {
        var pace = ReadingPace()
        var now = Moment(nanoseconds: 1_000_000_000)
        // Single events in quick succession; several events in each read; and single events mixed with reads of many.
        for reads in [[(20, 1)], [(200, 6)], [(150, 1), (150, 1), (300, 18)]] {
            pace = ReadingPace()
            let first = (0..<200).first { index in
                let (interval, events) = reads[index % reads.count]
                now = now.advanced(byNanoseconds: Int64(interval) * micro)
                pace.noteRead(events: events, isFull: false, at: now)
                return pace.rests
            }
            #expect(first.map { $0 > 50 } == true, "\(reads): \(String(describing: first))")
        }
        for _ in 0..<10 {
            now = now.advanced(byNanoseconds: ReadingPace.rest)
            pace.noteRead(events: 20, isFull: false, at: now)
            #expect(pace.rests)
        }
        // A reader that is behind reads on.
        pace.noteRead(events: 500, isFull: true, at: now)
        #expect(!pace.rests)
        pace.noteRead(events: 20, isFull: false, at: now)
        #expect(pace.rests)
        pace.noteRead(events: 2, isFull: false, at: now.advanced(byNanoseconds: ReadingPace.rest))
        #expect(!pace.rests)
    }
}
