/// Scans the tokens of JSON text, one at a time: whitespace, literals, numbers and strings. It knows no grammar.
package struct JSONScanner {
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let bytes: [UInt8]
    var position: Int
    /// Whether the text is a path or a predicate, where a place is just a column.
    private let isExpression: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        isExpression = false
    }

    init(expression: String) {
        bytes = Array(expression.utf8)
        position = 0
        isExpression = true
    }

    /// The byte here, or nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipWhitespace() {
        while let byte = next, Self.isBlank(byte) { position += 1 }
    }

    /// Steps over `byte` if it is here.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Steps over a word such as `true`, whose first letter is here.
    mutating func literal(_ word: StaticString) throws(JSONTextError) {
        let start = position
        for byte in word.description.utf8 where !skip(byte) {
            let found = finding
            position = start
            throw error("Expected '\(word)', found \(found) within it.")
        }
    }

    /// Steps over a number, whose sign or first digit is here, and returns it as written.
    mutating func number() throws(JSONTextError) -> String {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if skip(UInt8(ascii: "0")) {
            if let byte = next, Self.isDigit(byte) {
                throw error("Expected no digit after a leading zero, found \(finding).")
            }
        } else {
            try digits("after '-'")
        }
        if skip(UInt8(ascii: ".")) { try digits("after the decimal point") }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits("in the exponent")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits(_ place: StaticString) throws(JSONTextError) {
        let start = position
        while let byte = next, Self.isDigit(byte) { position += 1 }
        if position == start { throw error("Expected a digit \(place), found \(finding).") }
    }

    /// Whether the byte is whitespace in JSON.
    package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// A place, in words for an error message.
    func place(of offset: Int) -> String {
        isExpression
            ? "column \(1 + SourcePlace.scalarCount(bytes[..<offset]))"
            : "\(SourcePlace(byteOffset: offset, in: bytes))"
    }

    /// An error at this position.
    func error(_ message: String) -> JSONTextError {
        JSONTextError(place: SourcePlace(byteOffset: position, in: bytes), message: message)
    }

    /// What is found here, in words for an error message.
    var finding: String {
        guard let byte = next else { return "the end of the text" }
        if byte > 0x20 && byte < 0x7F { return "'\(Unicode.Scalar(byte))'" }
        if byte < 0x80 { return Self.codePoint(UInt32(byte)) }
        for length in 2...4 where position + length <= bytes.count {
            let character = bytes[position..<position + length]
            if let scalar = String(validating: character, as: UTF8.self)?.unicodeScalars.first {
                // With its code point: what is out of place here often looks like something else.
                return "'\(scalar)' (\(Self.codePoint(scalar.value)))"
            }
        }
        return "the byte 0x\(String(byte, radix: 16, uppercase: true)), which is not UTF-8"
    }

    /// A code point as Unicode writes it.
    private static func codePoint(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
