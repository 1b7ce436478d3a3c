import GroupFiles
import JSONText
import Testing

@testable import watch_value

/// What is news of a value.
struct TellerTests {
    @Test(arguments: [false, true])
    func theSameValueIsToldAgainAfterItWasMissing(tellsAll: Bool) {
        var teller = Teller(part: nil, tellsAll: tellsAll)
        var sight = Sight(status: .current, value: .bool(true), health: .live)
        func told() -> [String] {
            teller.news(sight).map { news in
                switch news {
                case .value(let value): value.description
                case .missing: "missing"
                default: "\(news)"
                }
            }
        }
        #expect(told() == ["true"])
        #expect(told() == [])
        // It went and came while nobody looked.
        sight.wasMissing = true
        #expect(told() == ["missing", "true"])
        sight.wasMissing = false
        #expect(told() == [])
    }
}
