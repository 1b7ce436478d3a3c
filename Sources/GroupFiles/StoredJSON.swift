import FoundationEssentials
import JSONText

/// What a key of ``GroupDefaults`` holds: any JSON, whose type is asked for when it is read.
struct StoredJSON: Codable, Hashable, Sendable {
    let bytes: Data

    /// What the file holds, if it is JSON.
    static let codec = GroupCodec<StoredJSON>(
        isJSON: true,
        encode: { $0.bytes },
        decode: { data in
            _ = try JSONValue(parsing: Array(data))
            return StoredJSON(bytes: data)
        })

    init(bytes: Data) {
        self.bytes = bytes
    }

    init<T: Encodable>(_ value: T) throws {
        if let number = value as? Double, number.isFinite {
            // JSONEncoder writes 2.0 as 2: that it is no integer would be lost.
            self.init(bytes: Data("\(number)\n".utf8))
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(value)
        data.append(UInt8(ascii: "\n"))
        self.init(bytes: data)
    }

    /// - Throws: `NoProperty`, or what encoding throws.
    init(any value: Any) throws {
        let json = try JSONValue(property: value)
        self.init(bytes: Data(JSONPrinter(sortsKeys: true).bytes(of: json) + [UInt8(ascii: "\n")]))
    }

    func decoded<T: Decodable>(as type: T.Type) -> T? {
        do {
            return try JSONDecoder().decode(type, from: bytes)
        } catch {
            return nil  // Of another type: as if there were nothing, as UserDefaults has it.
        }
    }

    var json: JSONValue? {
        do throws(JSONTextError) {
            return try JSONValue(parsing: Array(bytes))
        } catch {
            return nil
        }
    }
}

/// What cannot be kept among defaults.
struct NoProperty: Error, CustomStringConvertible {
    let type: any Any.Type
    var description: String { "\(type) is neither Encodable nor an array or a dictionary of such" }
}

extension JSONValue {
    /// Any value that is Encodable, and arrays and dictionaries of such.
    fileprivate init(property value: Any) throws {
        switch value {
        case let value as any Encodable:
            self = try JSONValue(parsing: Array(try StoredJSON(value).bytes))
        case let values as [Any]:
            self = .array(try values.map(JSONValue.init(property:)))
        case let members as [String: Any]:
            self = .object(JSONObject(try members.map { JSONObject.Member($0, try JSONValue(property: $1)) }))
        default:
            throw NoProperty(type: type(of: value))
        }
    }

    /// As plain values of Swift: Bool, Int, Double, String, and arrays and dictionaries of these; null is nothing, and is
    /// left out of them.
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

    // MARK: One type asked for as another, as UserDefaults does

    var asDouble: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .number(let number): Double(number.text)
        case .string(let text): NumberText(text).double
        default: nil
        }
    }

    /// Without its fraction; what is too large is the largest.
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
        case .bool(let value): return value
        case .string(let text):
            switch text.trimmed.lowercased() {
            case "yes", "true", "y", "t": return true
            case "no", "false", "n", "f": return false
            default: break
            }
        default: break
        }
        return asDouble.map { $0 != 0 }
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
    /// Of duplicates the first wins.
    var properties: [String: any Sendable] {
        var found: [String: any Sendable] = [:]
        for member in members where found[member.key] == nil {
            if let value = member.value.property { found[member.key] = value }
        }
        return found
    }
}
