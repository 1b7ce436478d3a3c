import JSONText
import Testing

@testable import WatchValueCommand

/// For which values COMMAND runs, and when.
struct RunQueueTests {
    /// Each further request to end would give the run more time to do so. Under many changes it would never be killed.
    @Test func whatRunsIsStoppedOnceForAllThatComes() {
        var queue = RunQueue(.restart)
        #expect(text(queue.changed(.null)) == "start null")
        #expect(text(queue.changed(.bool(false))) == "stop")
        #expect(text(queue.changed(.bool(true))) == "nothing")
        #expect(text(queue.changed(nil)) == "nothing")
        #expect(text(queue.ended(wasStopped: true)) == "start without a value")
        #expect(text(queue.changed(.bool(true))) == "stop")
        #expect(text(queue.ended(wasStopped: true)) == "start true")
        #expect(text(queue.ended(wasStopped: false)) == "nothing")
    }

    /// G3: a value in between for which COMMAND did not run does not count.
    @Test(arguments: [BusyPolicy.queue, .skip])
    func G3_itDoesNotRunTwiceInARowForTheSameValue(policy: BusyPolicy) {
        var queue = RunQueue(policy)
        #expect(text(queue.changed(.bool(true))) == "start true")
        #expect(text(queue.changed(.null)) == "nothing")
        if policy == .queue { #expect(text(queue.changed(.bool(true))) == "nothing") }
        #expect(text(queue.ended(wasStopped: false)) == "nothing")
        #expect(text(queue.changed(.bool(true))) == "nothing")
        #expect(text(queue.changed(.null)) == "start null")
    }

    /// Swift takes the two strings for equal; to JSON and to COMMAND they differ.
    @Test func twoSpellingsAreTwoValues() {
        var queue = RunQueue(.queue)
        #expect(text(queue.changed(.string("\u{E9}"))) == "start \"\u{E9}\"")
        #expect(text(queue.ended(wasStopped: false)) == "nothing")
        #expect(text(queue.changed(.string("e\u{301}"))) == "start \"e\u{301}\"")
    }

    @Test func itRunsAgainForTheSameValueThatWasMissing() {
        var queue = RunQueue(.queue)
        #expect(text(queue.changed(.bool(true))) == "start true")
        #expect(text(queue.changed(nil)) == "nothing")
        #expect(text(queue.changed(.bool(true))) == "nothing")
        #expect(text(queue.ended(wasStopped: false)) == "start true")
    }

    /// What the stopped run has done is unknown.
    @Test(arguments: [false, true])
    func itRunsAgainForTheSameValueWhereTheRunWasStopped(wasStopped: Bool) {
        var queue = RunQueue(.restart)
        #expect(text(queue.changed(.bool(true))) == "start true")
        #expect(text(queue.changed(.null)) == "stop")
        #expect(text(queue.changed(.bool(true))) == "nothing")
        #expect(text(queue.ended(wasStopped: wasStopped)) == (wasStopped ? "start true" : "nothing"))
    }

    private func text(_ action: RunQueue.Action?) -> String {
        switch action {
        case .start(let value): "start \(value?.description ?? "without a value")"
        case .stop: "stop"
        case nil: "nothing"
        }
    }
}
