/// An integer of any size: the exponent of a number, which may have more digits than an `Int` holds.
struct DecimalExponent: Equatable {
    private static let base = 1_000_000_000_000_000_000
    private static let digitsPerLimb = 18

    private var isNegative: Bool
    /// The digits in base `base`, least significant first; the last one is not zero. Empty for zero, which is never
    /// negative.
    private var limbs: [Int] = []

    /// The integer that the decimal `digits` spell, negated if `isNegative`, plus `offset`, which counts digits of a
    /// text: its magnitude is therefore less than `base`.
    init(digits: ArraySlice<UInt8>, isNegative: Bool, adding offset: Int) {
        self.isNegative = isNegative
        var rest = digits.drop { $0 == UInt8(ascii: "0") }
        while !rest.isEmpty {
            limbs.append(rest.suffix(Self.digitsPerLimb).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
            rest = rest.dropLast(Self.digitsPerLimb)
        }
        add(isNegative ? -offset : offset)
    }

    /// Adds to the magnitude; if that becomes negative, the sign flips.
    private mutating func add(_ offset: Int) {
        if limbs.count < 2 {
            let sum = (limbs.first ?? 0) + offset
            if sum < 0 { isNegative.toggle() }
            limbs = [abs(sum)]
        } else {
            limbs[0] += offset
        }
        for index in limbs.indices {
            let carry = limbs[index] >= Self.base ? 1 : limbs[index] < 0 ? -1 : 0
            limbs[index] -= carry * Self.base
            if index + 1 < limbs.count {
                limbs[index + 1] += carry
            } else if carry > 0 {
                limbs.append(carry)
            }
        }
        while limbs.last == 0 { limbs.removeLast() }
        if limbs.isEmpty { isNegative = false }
    }
}

extension DecimalExponent: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.magnitudePrecedes(left) : left.magnitudePrecedes(right)
    }

    private func magnitudePrecedes(_ other: Self) -> Bool {
        if limbs.count != other.limbs.count { return limbs.count < other.limbs.count }
        return limbs.reversed().lexicographicallyPrecedes(other.limbs.reversed())
    }
}
