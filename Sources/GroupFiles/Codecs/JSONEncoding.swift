import FoundationEssentials
import JSONText

/// JSON in a file is UTF-8, and JSON from end to end. `JSONDecoder` alone would guess, and pass over what is not asked for:
/// what is lost where it is written over.
enum JSONEncoding {
    struct NotUTF8: Error {}

    /// - Parameter isStrict: Whether it is JSON as RFC 8259 has it, and not what else a decoder may be configured for.
    static func check(_ data: Data, isStrict: Bool) throws {
        // JSON begins with a character of ASCII: UTF-16 and UTF-32 put a NUL beside it, or a mark of their own before it.
        let start = data.prefix(2)
        if start.contains(0) || start.elementsEqual([0xFF, 0xFE]) || start.elementsEqual([0xFE, 0xFF]) {
            throw NotUTF8()
        }
        if isStrict { try JSONValidator.validate(data.span) { Array(data) } }
    }
}
