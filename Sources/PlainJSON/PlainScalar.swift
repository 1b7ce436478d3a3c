/// A Bool, a number or a string on its own, in its plainest form, as in most small files. It needs no decoder.
///
/// Only ASCII and whole numbers, and no white space except a final newline, are supported.
enum PlainScalar {
    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)

    static func bool(_ text: ArraySlice<UInt8>) -> Bool? {
        if text.elementsEqual(yes) { return true }
        return text.elementsEqual(no) ? false : nil
    }

    static func text(of value: Bool) -> [UInt8]? { (value ? yes : no) + newline }

    /// Up to 15 digits: a Double holds that many without loss, and they cannot overflow an Int.
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
