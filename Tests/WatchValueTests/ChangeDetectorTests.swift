import GroupFiles
import JSONText
import Testing

@testable import WatchValueCommand

/// What is new of a value.
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
        // It went and came while nobody looked.
        snapshot.wasMissing = true
        #expect(told() == ["missing", "true"])
        snapshot.wasMissing = false
        #expect(told() == [])
    }

    /// To Swift two spellings of é are equal strings.
    @Test(arguments: [false, true])
    func anotherSpellingIsAChange(tellsAll: Bool) throws {
        var detector = ChangeDetector(part: nil, tellsAll: tellsAll)
        for text in ["\"caf\u{E9}\"", "\"cafe\u{301}\"", "{\"\u{E9}\": 1}", "{\"e\u{301}\": 1}"] {
            let value = try JSONValue(parsing: Array(text.utf8))
            let events = detector.events(Snapshot(status: .current, value: value, health: .live))
            #expect(events.count == 1, "\(text)")
        }
    }

    /// A bad content goes to stderr once, whatever other bad ones come between; then there is a good one, or none.
    @Test(arguments: [false, true], [GroupFileStatus.current, .missing])
    func eachBadContentIsToldOnce(tellsAll: Bool, between: GroupFileStatus) {
        var detector = ChangeDetector(part: nil, tellsAll: tellsAll)
        func told(_ contents: [String]) -> [String] {
            contents.flatMap { content in
                let error = GroupFileError(.undecodable, path: "v", content)
                return detector.events(Snapshot(status: .invalid(error), value: nil, health: .live))
            }.compactMap { event in
                if case .invalid(let error) = event { error.description } else { nil }
            }
        }
        let (a, b) = (told(["a"]), told(["b"]))
        #expect(a.count == 1 && b.count == 1 && a != b)
        #expect(told(["b"]) == [])
        #expect(told(["a", "b", "a"]) == (tellsAll ? a + b + a : []))
        _ = detector.events(Snapshot(status: between, value: between == .current ? .bool(true) : nil, health: .live))
        #expect(told(["b", "a", "a"]) == b + a)
    }
}
