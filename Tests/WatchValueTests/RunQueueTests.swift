import JSONText
import Testing

@testable import WatchValueCommand

/// For which value COMMAND runs, and when.
struct RunQueueTests {
    /// Asked to end again it would have its time to do so again, too, and under many changes never be killed.
    @Test func whatRunsIsStoppedOnceForAllThatComes() {
        var queue = RunQueue(.restart)
        func text(_ action: RunQueue.Action?) -> String {
            switch action {
            case .start(let value): "start \(value?.description ?? "without a value")"
            case .stop: "stop"
            case nil: "nothing"
            }
        }
        #expect(text(queue.changed(.null)) == "start null")
        #expect(text(queue.changed(.bool(false))) == "stop")
        #expect(text(queue.changed(.bool(true))) == "nothing")
        #expect(text(queue.changed(nil)) == "nothing")
        #expect(text(queue.ended()) == "start without a value")
        #expect(text(queue.changed(.bool(true))) == "stop")
        #expect(text(queue.ended()) == "start true")
        #expect(text(queue.ended()) == "nothing")
    }
}
