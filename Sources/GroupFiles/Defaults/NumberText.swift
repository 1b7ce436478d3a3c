/// The number, or the Boolean, that a text begins with, as `NSString` reads it: whatever follows is ignored.
struct NumberText {
    private let scalars: [Unicode.Scalar]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// Whether the text begins with the first letter of "yes" or "true", in either case, or with a digit other than 0,
    /// which a sign and zeros may precede. There may be white space before each of these.
    var bool: Bool {
        if Self.text(scalars.drop(while: Self.isSpace)).first.map("yYtT".contains) == true { return true }
        let digits = signed(skipping: Self.isSpace).1.drop { $0 == "0" }
        return Self.text(digits.drop(while: Self.isSpace)).first.map("123456789".contains) == true
    }

    /// The nearest `Int` for a number that is too large; 0 if there is no number.
    var integer: Int {
        let (sign, rest) = signed(skipping: Self.isSpace)
        let digits = sign + Self.text(rest.prefix(while: Self.isDigit))
        if let value = Int(digits) { return value }
        // Signs alone, or too many digits.
        return rest.first.map(Self.isDigit) == true ? (sign == "-" ? .min : .max) : 0
    }

    /// With a fraction and an exponent; 0 if there is no number.
    var double: Double {
        var (sign, rest) = signed(skipping: Self.isBlank)
        func take(_ isPart: (Unicode.Scalar) -> Bool) -> String {
            let part = rest.prefix(while: isPart)
            rest = rest.dropFirst(part.count)
            return Self.text(part)
        }
        var text = sign + take(Self.isDigit)
        if rest.first == "." {
            rest = rest.dropFirst()
            text += "." + take(Self.isDigit)
        }
        if rest.first == "e" || rest.first == "E" {
            rest = rest.dropFirst()
            text += "e"
            if rest.first == "-" || rest.first == "+" {
                text += Self.text(rest.prefix(1))
                rest = rest.dropFirst()
            }
            text += take(Self.isDigit)
        }
        return Double(text) ?? 0
    }

    private func signed(skipping isSkipped: (Unicode.Scalar) -> Bool) -> (String, ArraySlice<Unicode.Scalar>) {
        let rest = scalars.drop(while: isSkipped)
        guard let first = rest.first, first == "-" || first == "+" else { return ("", rest) }
        return (String(Character(first)), rest.dropFirst().drop(while: isSkipped))
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        isBlank(scalar) || "\n"..."\r" ~= scalar || scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}
