import FoundationEssentials
import JSONText

/// JSON in a file is UTF-8, and JSON from end to end. `JSONDecoder` alone would guess, and pass over what is not asked for:
/// what is lost where it is written over.
enum JSONEncoding {
    struct NotUTF8: Error {}

    /// - Parameter isStrict: Whether it is JSON as RFC 8259 has it, and not what else a decoder may be configured for.
    static func check(_ data: Data, isStrict: Bool) throws {
        // UTF-16 and UTF-32 put a NUL, or one of their own marks, within the first four bytes of any JSON.
        var start: UInt32 = 0
        for byte in data.prefix(4) {
            if byte == 0 { throw NotUTF8() }
            start = start << 8 | UInt32(byte)
        }
        if data.count >= 2 {
            let mark = data.count >= 4 ? start >> 16 : data.count == 3 ? start >> 8 : start
            if mark == 0xFFFE || mark == 0xFEFF { throw NotUTF8() }
        }
        if isStrict { try JSONValidator.validate(data.span) { Array(data) } }
    }
}
