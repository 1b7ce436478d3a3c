import FoundationEssentials
import JSONText
import PlainJSON

/// The names that a type uses for the keys of a text: a decoder may be configured to convert them.
struct KeyNames: Sendable {
    private let decoder: JSONDecoder

    init(_ decoder: JSONDecoder) {
        self.decoder = decoder
    }

    /// The place that a coding path names; its keys are those that the type uses.
    func place(of codingPath: [any CodingKey], in bytes: [UInt8]) -> SourcePlace? {
        SourcePlace(of: codingPath, in: bytes) { keys, path in
            do {
                return try names(of: keys, at: path)
            } catch {
                return []  // Then none of them is found.
            }
        }
    }

    /// The names that the type uses for the keys of an object.
    func names(of keys: [String], at codingPath: @autoclosure () -> [any CodingKey]) throws -> [String] {
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: return keys
        case .custom(let convert):
            let path = codingPath()
            return keys.map { convert(path + [AnyKey($0)]).stringValue }
        default:
            // Only the decoder knows how it converts keys. Each is converted alone, because two may get the same name.
            // The outermost value is an object, in case the decoder assumes that, and its own key is not converted.
            let objects = try JSONEncoder().encode(["keys": keys.map { [$0: 0] }])
            return try decoder.decode([String: [ConvertedKey]].self, from: objects)["keys", default: []].map(\.name)
        }
    }
}

/// The only key of an object, as the decoder converts it.
private struct ConvertedKey: Decodable {
    let name: String

    init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: AnyKey.self).allKeys.first?.stringValue ?? ""
    }
}
