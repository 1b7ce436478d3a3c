import FoundationEssentials
import GroupFiles
import JSONText

/// A JSON file's value with every detail that was written: digits, order of keys, repeated keys.
struct JSONDocument: Sendable {
    /// The largest size that is read and written: the library's default.
    static let mostBytes = 16 << 20

    /// Nil where there is no file.
    let value: JSONValue?
    /// The text to write; nil for compact JSON.
    let text: [UInt8]?
    /// The bytes of the file that the document was read from, so that writing it back unchanged changes nothing.
    private let original: [UInt8]?

    static let missing = JSONDocument(value: nil)

    init(value: JSONValue?) {
        self.value = value
        text = nil
        original = nil
    }

    /// Parses a text, which is later written as it stands, without the white space and byte order mark around it.
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

    /// The value as COMMAND gets it, but for the final newline.
    static func compact(_ value: JSONValue) -> [UInt8] { JSONPrinter().bytes(of: value) }

    /// The bytes that were read, unchanged; otherwise the text with a final newline, unless that would exceed the
    /// limit.
    fileprivate var bytes: [UInt8] {
        if let original { return original }
        let bytes = text ?? Self.compact(value ?? .null)
        return bytes.count < Self.mostBytes ? bytes + [UInt8(ascii: "\n")] : bytes
    }
}

/// Only because `GroupFile` requires it: files are read and written by the codec below.
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
