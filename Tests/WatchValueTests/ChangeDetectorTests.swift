import GroupFiles
import JSONText
import Testing

@testable import watch_value

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
}
