/// A decimal number in a form that does not depend on how it is written: ±0.d₁d₂… × 10ᵉ, where d₁ and the last digit
/// are not zero; zero has no digits, no sign and no exponent.
///
/// Takes memory for the digits as written, never for those that an exponent stands for.
struct NormalizedDecimal: Equatable {
    private let isNegative: Bool
    private let digits: ArraySlice<UInt8>
    private let exponent: Int128

    /// Exponents as written that are larger are not told apart.
    private static let largestPower = Int128.max / 2

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
            exponent = 0
            return
        }
        isNegative = isSigned
        digits = significant[...lastDigit]

        var power = text.dropFirst(mantissa.count + 1)
        let isPowerNegative = power.first == UInt8(ascii: "-")
        if isPowerNegative || power.first == UInt8(ascii: "+") { power.removeFirst() }
        // The decimal point moves in front of the first significant digit.
        let pointShift = whole.count - (written.count - significant.count)
        exponent = Self.exponent(power, isNegative: isPowerNegative, pointShift: pointShift)
    }

    private static func exponent(_ power: ArraySlice<UInt8>, isNegative: Bool, pointShift: Int) -> Int128 {
        if power.isEmpty { return Int128(pointShift) }
        guard let power = Int128(String(decoding: power, as: UTF8.self)), power < largestPower else {
            return isNegative ? -largestPower : largestPower
        }
        return (isNegative ? -power : power) + Int128(pointShift)
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
