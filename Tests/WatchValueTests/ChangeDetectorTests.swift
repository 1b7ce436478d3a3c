import GroupFiles
import JSONText
import Testing

@testable import WatchValueCommand

/// What counts as news about a value.
struct ChangeDetectorTests {
    @Test(arguments: [false, true])
    func theSameValueIsToldAgainAfterItWasMissing(tellsAll: Bool) {
        var detector = ChangeDetector(part: nil, tellsAll: tellsAll)
        var snapshot = Snapshot(status: .current, value: .bool(true), health: .live)
        func told() -> [String] {
            detector.events(snapshot).map { event in
                switch event {
                case .value(let value): value.description
                case .missing: "missing"
                default: "\(event)"
                }
            }
        }
        #expect(told() == ["true"])
        #expect(told() == [])
        // The value went and came back unobserved.
        snapshot.wasMissing = true
        #expect(told() == ["missing", "true"])
        snapshot.wasMissing = false
        #expect(told() == [])
    }

    /// Swift takes two spellings of é for equal strings.
    @Test(arguments: [false, true])
    func anotherSpellingIsAChange(tellsAll: Bool) throws {
        var detector = ChangeDetector(part: nil, tellsAll: tellsAll)
        for text in ["\"caf\u{E9}\"", "\"cafe\u{301}\"", "{\"\u{E9}\": 1}", "{\"e\u{301}\": 1}"] {
            let value = try JSONValue(parsing: Array(text.utf8))
            let events = detector.events(Snapshot(status: .current, value: value, health: .live))
            #expect(events.count == 1, "\(text)")
        }
    }

    /// What is reported of bad contents: as events, and on stderr.
    private struct Told: Equatable {
        var events: [String] = []
        var complaints: [String] = []
    }

    /// Each bad content goes to stderr once, whatever other bad contents come between, and again only after a good
    /// value or none. With `tellsAll` it is an event each time that it comes.
    @Test(arguments: [false, true], [GroupFileStatus.current, .missing])
    func eachBadContentIsToldOnce(tellsAll: Bool, between: GroupFileStatus) {
        var detector = ChangeDetector(part: nil, tellsAll: tellsAll)
        func told(_ contents: [String]) -> Told {
            let events = contents.flatMap { content in
                let error = GroupFileError(.undecodable, path: "v", content)
                return detector.events(Snapshot(status: .invalid(error), value: nil, health: .live))
            }
            let errors = events.compactMap { event in
                if case .invalid(let error, _) = event { error.message } else { nil }
            }
            return Told(events: errors, complaints: events.compactMap { Output.complaint($0, about: "v") })
        }
        #expect(told(["a"]) == Told(events: ["a"], complaints: ["v: a"]))
        #expect(told(["b"]) == Told(events: ["b"], complaints: ["v: b"]))
        #expect(told(["b"]) == Told())
        #expect(told(["a", "b", "a"]) == Told(events: tellsAll ? ["a", "b", "a"] : []))
        _ = detector.events(Snapshot(status: between, value: between == .current ? .bool(true) : nil, health: .live))
        #expect(told(["b", "a", "a"]) == Told(events: ["b", "a"], complaints: ["v: b", "v: a"]))
    }

    @Test(arguments: [false, true])
    func fallingBackToPollingAndTheReturnAreToldOnce(tellsAll: Bool) {
        var detector = ChangeDetector(part: nil, tellsAll: tellsAll)
        func told(_ health: GroupFileHealth) -> [String] {
            detector.events(Snapshot(status: .missing, value: nil, health: health)).compactMap { event in
                switch event {
                case .polling(let reason): reason
                case .live: "live"
                default: nil
                }
            }
        }
        #expect(told(.live) == [])
        #expect(told(.polling("why")) == ["why"])
        #expect(told(.polling("why")) == [])
        #expect(told(.waitingForDirectory) == [])
        #expect(told(.live) == ["live"])
        #expect(told(.live) == [])
    }
}
