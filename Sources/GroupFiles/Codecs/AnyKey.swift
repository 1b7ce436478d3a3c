/// Any key at all: a member's name, or an element's place.
struct AnyKey: CodingKey {
    static let `super` = AnyKey("super")

    let stringValue: String
    let intValue: Int?

    init(_ text: String) {
        stringValue = text
        intValue = nil
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) { nil }
}
