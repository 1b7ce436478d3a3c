/// Any key at all: a member's name, or an element's place.
package struct AnyKey: CodingKey {
    package static let `super` = AnyKey("super")

    package let stringValue: String
    package let intValue: Int?

    package init(_ text: String) {
        stringValue = text
        intValue = nil
    }

    package init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    package init?(stringValue: String) {
        self.init(stringValue)
    }

    package init?(intValue: Int) { nil }
}
