import FoundationEssentials
import JSONText
import PlainJSON

/// What a type calls the keys of a text: a decoder may be told to convert them.
struct KeyNames: Sendable {
    private let decoder: JSONDecoder

    init(_ decoder: JSONDecoder) {
        self.decoder = decoder
    }

    /// The place that a coding path names, whose keys are the type's own.
    func place(of codingPath: [any CodingKey], in bytes: [UInt8]) -> SourcePlace? {
        SourcePlace(of: codingPath, in: bytes) { keys, path in
            do {
                return try names(of: keys, at: path)
            } catch {
                return []  // Then none of them is found.
            }
        }
    }

    /// What the type calls the keys of an object.
    func names(of keys: [String], at codingPath: @autoclosure () -> [any CodingKey]) throws -> [String] {
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: return keys
        case .custom(let convert):
            let path = codingPath()
            return keys.map { convert(path + [AnyKey($0)]).stringValue }
        default:
            // How it converts is its own affair: asked for each key alone, for two may get one name.
            let objects = try JSONEncoder().encode(keys.map { [$0: 0] })
            return try decoder.decode([ConvertedKey].self, from: objects).map(\.name)
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
