import JSONText

/// Values of a property list as JSON, and JSON as such values.
extension JSONValue {
    /// Any value that is Encodable or that a property list may contain, and arrays and dictionaries of such; nil
    /// becomes null.
    init(property value: Any) throws {
        if (value as? any OptionalValue)?.isNil == true || BridgedProperty.isNull(value) {
            self = .null
            return
        }
        // JSONEncoder writes 2.0 as 2, in an array, too, and so would make an integer of it.
        if let float = value as? any BinaryFloatingPoint & Encodable, let number = JSONNumber("\(float)") {
            self = .number(number)
            return
        }
        switch value {
        case let value as any Encodable where !FloatingProperty.isIn(type(of: value)):
            self = try JSONValue(parsing: Array(try StoredJSON.encode(value)))
        case let values as [Any]:
            self = .array(try values.map(JSONValue.init(property:)))
        case let members as [String: Any]:
            self = .object(JSONObject(try members.map { JSONObject.Member($0, try JSONValue(property: $1)) }))
        case let value as any Encodable:
            self = try JSONValue(parsing: Array(try StoredJSON.encode(value)))
        default:
            guard let value = BridgedProperty.value(in: value) else { throw UnsupportedProperty(type: type(of: value)) }
            self = try JSONValue(property: value)
        }
    }

    /// As plain Swift values: Bool, Int, Double, String, and arrays and dictionaries of these; null becomes nil, and is
    /// left out of arrays and dictionaries.
    var property: (any Sendable)? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .number(let number): Int(number.text) ?? Double(number.text)
        case .string(let text): text
        case .array(let elements): elements.compactMap(\.property)
        case .object(let object): object.properties
        }
    }

    // MARK: Reading one type as another, as UserDefaults does

    var asDouble: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .number(let number): Double(number.text)
        case .string(let text): NumberText(text).double
        default: nil
        }
    }

    /// Without its fraction; the nearest `Int` if it is too large.
    var asInteger: Int? {
        switch self {
        case .number(let number): if let value = Int(number.text) { return value }
        case .string(let text): return NumberText(text).integer
        default: break
        }
        guard let double = asDouble, !double.isNaN else { return nil }
        return Int(exactly: double.rounded(.towardZero)) ?? (double < 0 ? .min : .max)
    }

    var asBool: Bool? {
        switch self {
        case .bool(let value): value
        case .number: asDouble.map { $0 != 0 }
        case .string(let text): NumberText(text).bool
        default: nil
        }
    }

    var asString: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "1" : "0"
        default: nil
        }
    }
}

extension JSONObject {
    /// If a key occurs twice the first one wins.
    var properties: [String: any Sendable] {
        var found: [String: any Sendable] = [:]
        for member in members where found[member.key] == nil {
            if let value = member.value.property { found[member.key] = value }
        }
        return found
    }
}
