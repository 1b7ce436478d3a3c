/// JSON of a Bool, a number or a string in its plainest form, which needs no decoder: what most small files hold.
///
/// It knows only what is sure to come out as `JSONDecoder` and `JSONEncoder` have it, and leaves the rest to them: white
/// space but for a final newline, fractions, exponents, escapes, anything beyond ASCII.
package struct PlainJSON<Value: Sendable>: Sendable {
    /// The value; nil where that is not sure.
    package let decode: @Sendable ([UInt8]) -> Value?
    /// The text with its final newline; nil where that is not sure.
    package let encode: @Sendable (Value) -> [UInt8]?

    /// Nil for types that have no plain form.
    package static var ofItsType: PlainJSON? {
        switch Value.self {
        case is Bool.Type: PlainJSON(PlainText.bool, PlainText.text(of:))
        case is Int.Type: PlainJSON(PlainText.integer, PlainText.text(of:))
        case is Double.Type:
            PlainJSON({ PlainText.double($0) }, { (value: Double) in PlainText.text(of: value) })
        case is String.Type: PlainJSON(PlainText.string, { (value: String) in PlainText.text(of: value) })
        default: nil
        }
    }

    private init<Plain>(
        _ decode: @escaping @Sendable (ArraySlice<UInt8>) -> Plain?, _ encode: @escaping @Sendable (Plain) -> [UInt8]?
    ) {
        self.decode = { bytes in
            let isEnded = bytes.last == UInt8(ascii: "\n")
            return decode(isEnded ? bytes.dropLast() : bytes[...]) as? Value
        }
        self.encode = { ($0 as? Plain).flatMap(encode) }
    }
}

private enum PlainText {
    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)

    static func bool(_ text: ArraySlice<UInt8>) -> Bool? {
        if text.elementsEqual(yes) { return true }
        return text.elementsEqual(no) ? false : nil
    }

    static func text(of value: Bool) -> [UInt8]? { (value ? yes : no) + newline }

    /// Up to 15 digits: as many as a double holds without loss, and far from what overflows.
    static func integer(_ text: ArraySlice<UInt8>) -> Int? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text
        guard let first = digits.first, digits.count <= 15 else { return nil }
        if first == UInt8(ascii: "0"), isNegative || digits.count > 1 { return nil }
        var value = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return isNegative ? -value : value
    }

    static func text(of value: Int) -> [UInt8]? { Array(String(value).utf8) + newline }

    static func double(_ text: ArraySlice<UInt8>) -> Double? { integer(text).map(Double.init) }

    static func text(of value: Double) -> [UInt8]? {
        if value == 0, value.sign == .minus { return nil }
        guard let whole = Int(exactly: value), whole.magnitude < 1_000_000_000_000_000 else { return nil }
        return text(of: whole)
    }

    static func string(_ text: ArraySlice<UInt8>) -> String? {
        guard text.count >= 2, text.first == quote, text.last == quote else { return nil }
        let inner = text.dropFirst().dropLast()
        return inner.allSatisfy(isPlain) ? String(decoding: inner, as: UTF8.self) : nil
    }

    static func text(of value: String) -> [UInt8]? {
        value.utf8.allSatisfy(isPlain) ? [quote] + value.utf8 + [quote] + newline : nil
    }

    private static let quote = UInt8(ascii: "\"")
    private static let newline = [UInt8(ascii: "\n")]

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != quote && byte != UInt8(ascii: "\\")
    }
}
