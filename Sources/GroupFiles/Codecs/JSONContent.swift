import FoundationEssentials
import JSONText

/// JSON in a file must be UTF-8, and JSON from end to end. `JSONDecoder` alone would guess the encoding, and ignore
/// what is not requested, which would be lost when the file is overwritten.
enum JSONContent {
    struct NotUTF8: Error {}

    /// - Parameter isStrict: Whether the text must be JSON by RFC 8259; false for a decoder that is configured to
    ///   accept more.
    static func check(_ data: Data, isStrict: Bool) throws {
        // JSON begins with an ASCII character: UTF-16 and UTF-32 put a NUL beside it, or a byte order mark before it.
        let start = data.prefix(2)
        if start.contains(0) || start.elementsEqual([0xFF, 0xFE]) || start.elementsEqual([0xFE, 0xFF]) {
            throw NotUTF8()
        }
        if isStrict { try JSONReader.validate(Array(data)) }
    }

    /// Whether the content is JSON and nothing else, or "missing".
    static func isJSON(_ content: Content) -> Bool {
        guard case .bytes(let bytes) = content else { return content == .missing }
        do throws(JSONTextError) {
            try JSONReader.validate(bytes)
            return true
        } catch {
            return false
        }
    }
}
