/// Any key: a member's name, or an element's index. Small enough for an `any CodingKey` to hold it without a box.
package enum AnyKey: CodingKey {
    case name(String)
    case element(Int)

    package static let `super` = AnyKey("super")

    package init(_ text: String) {
        self = .name(text)
    }

    package init(index: Int) {
        self = .element(index)
    }

    package init?(stringValue: String) {
        self.init(stringValue)
    }

    package init?(intValue: Int) { nil }

    package var stringValue: String {
        switch self {
        case .name(let text): text
        case .element(let index): "Index \(index)"
        }
    }

    package var intValue: Int? {
        switch self {
        case .name: nil
        case .element(let index): index
        }
    }
}
