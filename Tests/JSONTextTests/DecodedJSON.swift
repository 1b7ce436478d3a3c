import JSONText

/// Any JSON value, as JSONDecoder reads it.
enum DecodedJSON: Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([DecodedJSON])
    case object([String: DecodedJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
            return
        }
        // When one type is refused, the next is tried. The error of the last is the result.
        let decoders: [(any SingleValueDecodingContainer) throws -> DecodedJSON] = [
            { .string(try $0.decode(String.self)) }, { .number(try $0.decode(Double.self)) },
            { .object(try $0.decode([String: DecodedJSON].self)) }, { .array(try $0.decode([DecodedJSON].self)) },
        ]
        for decode in decoders {
            do {
                self = try decode(container)
                return
            } catch DecodingError.typeMismatch {
                continue
            }
        }
        self = .bool(try container.decode(Bool.self))
    }

    /// Whether `value` is the same. Of duplicate keys, the first counts.
    func agrees(with value: JSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null): true
        case (.bool(let ours), .bool(let theirs)): ours == theirs
        case (.number(let ours), .number(let theirs)): ours == Double(theirs.text)
        case (.string(let ours), .string(let theirs)): ours.utf8.elementsEqual(theirs.utf8)
        case (.array(let ours), .array(let theirs)):
            ours.count == theirs.count && zip(ours, theirs).allSatisfy { $0.agrees(with: $1) }
        case (.object(let ours), .object(let theirs)):
            ours.count == Set(theirs.members.map(\.key)).count
                && ours.allSatisfy { key, value in theirs[key].map(value.agrees) ?? false }
        default: false
        }
    }
}

extension JSONValue {
    /// Whether the value contains a number too large or too small for a `Double`, or a zero with an exponent such as
    /// `0e5`.
    var hasNumberThatJSONDecoderRefuses: Bool {
        switch self {
        case .number(let number):
            guard let double = Double(number.text), double.isFinite else { return true }
            return double.isZero && (number != JSONNumber(0) || number.text.lowercased().contains("e"))
        case .array(let elements): return elements.contains(where: \.hasNumberThatJSONDecoderRefuses)
        case .object(let object): return object.members.contains(where: \.value.hasNumberThatJSONDecoderRefuses)
        default: return false
        }
    }
}
