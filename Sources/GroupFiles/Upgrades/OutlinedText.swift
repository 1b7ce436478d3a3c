import JSONText

/// A value within a text.
struct OutlinedText {
    private let text: [UInt8]
    let outline: JSONOutline

    init(_ text: [UInt8], _ outline: JSONOutline) {
        self.text = text
        self.outline = outline
    }

    /// A part of the value, which has this outline.
    func part(_ outline: JSONOutline) -> OutlinedText { OutlinedText(text, outline) }

    var bytes: ArraySlice<UInt8> { text[outline.range] }

    /// What is written, regardless of the order of elements.
    var sortedBytes: ArraySlice<UInt8> {
        get throws { JSONPrinter().bytes(of: try JSONValue(parsing: Array(bytes)).withSortedElements)[...] }
    }

    /// Whether this has all that the other value has, and perhaps more members in its objects.
    func includes(_ other: OutlinedText) throws -> Bool {
        if bytes == other.bytes { return true }
        if let members = outline.members, let otherMembers = other.outline.members {
            let values = members.values
            return try otherMembers.allSatisfy { member in
                try values[member.key].map { try part($0).includes(other.part(member.value)) } ?? false
            }
        }
        if let elements = outline.elements, let otherElements = other.outline.elements {
            return try elements.count == otherElements.count
                && zip(elements, otherElements).allSatisfy { try part($0).includes(other.part($1)) }
        }
        return try JSONValue(parsing: Array(bytes)).withSortedElements
            == JSONValue(parsing: Array(other.bytes)).withSortedElements
    }
}

extension [JSONOutline.Member] {
    /// The values by key; of duplicate keys the first counts.
    var values: [String: JSONOutline] {
        Dictionary(map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
