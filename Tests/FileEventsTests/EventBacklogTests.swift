import SystemCalls
import Testing

@testable import FileEvents

struct EventBacklogTests {
    private enum Rest: Equatable {
        case nothing, cancelled
        case batch([InotifyEvent], lostEvents: Bool)

        init(_ rest: EventBacklog.Rest) {
            self =
                switch rest {
                case .nothing: .nothing
                case .cancelled: .cancelled
                case .batch(let batch): .batch(batch.events, lostEvents: batch.lostEvents)
                }
        }
    }

    private func events(_ watches: ClosedRange<Int32>) -> [InotifyEvent] {
        watches.map { InotifyEvent(watch: $0, mask: .modify, name: "f") }
    }

    @Test func whatComesMeanwhileWaitsForTheLastToLeave() {
        var backlog = EventBacklog()
        let entered = [events(1...2), events(3...3), events(4...5)].map { backlog.enter(with: $0, lostEvents: false) }
        #expect(entered == [true, false, false])
        backlog.enter()
        var rests = [backlog.leave(), backlog.leave()].map(Rest.init)
        #expect(rests == [.nothing, .batch(events(3...5), lostEvents: false)])

        let entersMeanwhile = backlog.enter(with: [], lostEvents: true)
        #expect(!entersMeanwhile)
        rests = [backlog.leave(), backlog.leave()].map(Rest.init)
        #expect(rests == [.batch([], lostEvents: true), .nothing])
        let entersAfterwards = backlog.enter(with: events(6...6), lostEvents: false)
        #expect(entersAfterwards)
    }

    @Test func tooMuchIsLost() {
        var backlog = EventBacklog()
        backlog.enter()
        let batches = [events(1...Int32(EventBacklog.mostEvents)), events(1...1)]
        let entered = batches.map { backlog.enter(with: $0, lostEvents: false) }
        #expect(entered == [false, false])
        #expect(Rest(backlog.leave()) == .batch([], lostEvents: true))
    }

    @Test func theLastToLeaveLetsGoOfWhatWasCancelled() {
        var backlog = EventBacklog()
        backlog.enter()
        backlog.enter()
        _ = backlog.enter(with: events(1...1), lostEvents: false)
        let isForCaller = [backlog.cancel(), backlog.cancel()]
        #expect(isForCaller == [false, false])
        let enters = backlog.enter(with: events(2...2), lostEvents: false)
        #expect(!enters)
        let rests = [backlog.leave(), backlog.leave()].map(Rest.init)
        #expect(rests == [.nothing, .cancelled])
    }

    @Test func whoCancelsLetsGoWhereNobodyIsThere() {
        var backlog = EventBacklog()
        let isForCaller = [backlog.cancel(), backlog.cancel()]
        #expect(isForCaller == [true, false])
    }
}
