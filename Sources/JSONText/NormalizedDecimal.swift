/// A decimal number in a form that does not depend on how it is written: ±0.d₁d₂… × 10ᵉ, where d₁ and the last digit
/// are not zero; zero has no digits, no sign and no exponent.
///
/// Takes memory for the digits as written, never for those that an exponent stands for.
struct NormalizedDecimal: Equatable {
    private let isNegative: Bool
    private let digits: ArraySlice<UInt8>
    private let exponent: DecimalExponent

    init(_ number: JSONNumber) {
        var text = Array(number.text.utf8)[...]
        let isSigned = text.first == UInt8(ascii: "-")
        if isSigned { text.removeFirst() }

        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
        let written = whole + mantissa.dropFirst(whole.count + 1)
        let significant = written.drop { $0 == UInt8(ascii: "0") }
        let lastDigit = significant.lastIndex { $0 != UInt8(ascii: "0") }
        guard let lastDigit else {
            isNegative = false
            digits = []
            exponent = DecimalExponent(digits: [], isNegative: false, adding: 0)
            return
        }
        isNegative = isSigned
        digits = significant[...lastDigit]

        var power = text.dropFirst(mantissa.count + 1)
        let isPowerNegative = power.first == UInt8(ascii: "-")
        if isPowerNegative || power.first == UInt8(ascii: "+") { power.removeFirst() }
        // The decimal point moves in front of the first significant digit.
        let pointShift = whole.count - (written.count - significant.count)
        exponent = DecimalExponent(digits: power, isNegative: isPowerNegative, adding: pointShift)
    }
}

extension NormalizedDecimal: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.magnitudePrecedes(left) : left.magnitudePrecedes(right)
    }

    private func magnitudePrecedes(_ other: Self) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        if exponent != other.exponent { return exponent < other.exponent }
        return digits.lexicographicallyPrecedes(other.digits)
    }
}
