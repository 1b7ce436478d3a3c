extension PlainParser {
    mutating func number(_ text: Span<UInt8>) -> Bool {
        let isNegative = text[at] == UInt8(ascii: "-")
        let first = isNegative ? at + 1 : at
        var end = first
        var number: Int64 = 0
        Self.digits(text, &end, &number)
        let whole = end - first
        guard whole > 0, whole == 1 || text[first] != UInt8(ascii: "0") else { return false }
        var scale = 0
        if end < text.count, text[end] == UInt8(ascii: ".") {
            end += 1
            let point = end
            Self.digits(text, &end, &number)
            scale = end - point
            if scale == 0 { return false }
        }
        if end < text.count, text[end] | 0x20 == UInt8(ascii: "e") { return false }
        // A number of 19 digits is less than 2^64: one that does not fit has become negative.
        let isLong = whole + scale > 18 && (scale > 0 || whole > 19 || number < 0)
        if isNegative, isLong || number == 0 { return false }
        append(isLong ? .long : scale == 0 ? .integer : .decimal, from: at, to: end)
        nodes[nodes.count - 1].number = isNegative ? -number : number
        nodes[nodes.count - 1].scale = UInt8(truncatingIfNeeded: scale)
        at = end
        return true
    }

    /// A number that overflows has too many digits, and is not used.
    private static func digits(_ text: Span<UInt8>, _ end: inout Int, _ number: inout Int64) {
        while end < text.count {
            let digit = text[end] &- UInt8(ascii: "0")
            if digit > 9 { return }
            number = number &* 10 &+ Int64(digit)
            end += 1
        }
    }
}
