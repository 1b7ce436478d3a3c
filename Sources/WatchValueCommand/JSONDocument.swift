import FoundationEssentials
import GroupFiles
import JSONText

/// A JSON file's value with everything that was written: digits, order of keys, keys that are there twice.
struct JSONDocument: Sendable {
    /// What is read and written at most, as the library has it where nothing else is said.
    static let mostBytes = 16 << 20

    /// Nil where there is no file.
    let value: JSONValue?
    /// How it is to be written; nil for compact.
    let text: [UInt8]?
    /// The file that it was read from, byte for byte: who writes it as it was read changes nothing.
    private let original: [UInt8]?

    static let missing = JSONDocument(value: nil)

    init(value: JSONValue?) {
        self.value = value
        text = nil
        original = nil
    }

    /// The value that a text is, to be written as it is there, but for white space and a byte order mark around it.
    init(parsing text: [UInt8]) throws(JSONTextError) {
        value = try JSONValue(parsing: text)
        let mark = JSONScanner.byteOrderMark
        let body = text.dropFirst(text.starts(with: mark) ? mark.count : 0).drop(while: JSONScanner.isBlank)
        let end = body.lastIndex { !JSONScanner.isBlank($0) }
        self.text = end.map { Array(body[...$0]) }
        original = nil
    }

    init(reading file: [UInt8]) throws(JSONTextError) {
        value = try JSONValue(parsing: file)
        text = nil
        original = file
    }

    /// What COMMAND gets of a value, but for a final newline.
    static func compact(_ value: JSONValue) -> [UInt8] { JSONPrinter().bytes(of: value) }

    /// With a final newline, unless that would be too much.
    fileprivate var bytes: [UInt8] {
        if let original { return original }
        let bytes = text ?? Self.compact(value ?? .null)
        return bytes.count < Self.mostBytes ? bytes + [UInt8(ascii: "\n")] : bytes
    }
}

/// Only because a `GroupFile` asks for it: files are read and written by the codec below.
extension JSONDocument: Codable {
    init(from decoder: any Decoder) throws {
        self.init(value: try JSONValue(parsing: decoder.singleValueContainer().decode(String.self)))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode((value ?? .null).description)
    }
}

extension GroupCodec where Value == JSONDocument {
    static var document: GroupCodec {
        GroupCodec(
            encode: { document in Data(document.bytes) },
            decode: { data in try JSONDocument(reading: Array(data)) })
    }
}
