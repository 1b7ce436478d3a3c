import JSONText
import TestSupport
import Testing

/// Numbers are compared by decimal value, exactly.
struct NumberTests {
    /// Groups of equal numbers, each less than the numbers of the next group.
    static let ascending: [[String]] = [
        ["-1e999999999999999999999", "-10e999999999999999999998"],
        ["-9007199254740993"], ["-9007199254740992"], ["-2"], ["-1", "-1.0", "-0.1e1"], ["-1e-5"],
        ["-1e-999999999999999999999"],
        ["0", "-0", "0.0", "-0.000e-5", "0e999999999999999999999", "0E+7"],
        ["1e-10000000000000000000000000000000000000000", "0.001e-9999999999999999999999999999999999999997"],
        ["1e-999999999999999999999", "0.1e-999999999999999999998"],
        ["1e-1000000000000000000", "10e-1000000000000000001"],
        ["1e-999999999999999999", "0.1e-999999999999999998", "10e-1000000000000000000"],
        ["0.1", "1e-1", "0.10", "100e-3"], ["0.10000000000000000000000000000000001"],
        ["1", "1.0", "10e-1", "1e0", "1e-0", "0.00001e5", "1E+00000000000000000000000000000"],
        ["1.0000000000000000000000000000000000001"], ["2"], ["9"], ["10", "1e1"], ["99.9"], ["100"],
        ["9007199254740992"], ["9007199254740993", "9007199254740993.0"],
        ["12345678901234567890", "1234567890123456789e1", "1.2345678901234567890E19"],
        ["1e999999999999999999", "0.1e1000000000000000000", "10e999999999999999998"],
        ["1e1000000000000000000", "10e999999999999999999", "0.01e1000000000000000002"],
        ["1e999999999999999999999", "10e999999999999999999998"],
        ["1e1000000000000000000000", "0.1e1000000000000000000001", "10e999999999999999999999"],
        ["1.5e1000000000000000000000"],
        ["1e1000000000000000000000000000000000000", "100e999999999999999999999999999999999998"],
    ]

    @Test func everyWayOfWritingANumberIsEqualAndInOrder() throws {
        let numbers = try Self.ascending.map { try $0.map { try #require(JSONNumber($0)) } }
        for (leftRank, leftGroup) in numbers.enumerated() {
            for (rightRank, rightGroup) in numbers.enumerated() {
                for left in leftGroup {
                    for right in rightGroup {
                        #expect((left == right) == (leftRank == rightRank), "\(left.text) \(right.text)")
                        #expect((left < right) == (leftRank < rightRank), "\(left.text) \(right.text)")
                    }
                }
            }
        }
    }

    @Test func comparesSmallDecimalsAsTheIntegersTheyScaleTo() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<4_000 {
            let left = Self.decimal(using: &random)
            let right = Self.decimal(using: &random)
            let (leftNumber, rightNumber) = (try #require(JSONNumber(left.text)), try #require(JSONNumber(right.text)))
            #expect((leftNumber == rightNumber) == (left.scaled == right.scaled), "\(left.text) \(right.text)")
            #expect((leftNumber < rightNumber) == (left.scaled < right.scaled), "\(left.text) \(right.text)")
        }
    }

    /// A decimal in one of its spellings, and the integer that is 10⁹ times as large.
    private static func decimal(using random: inout SeededGenerator) -> (text: String, scaled: Int) {
        let coefficient = Int.random(in: -30...30, using: &random) * random.choose([1, 10, 100])
        let power = Int.random(in: -4...4, using: &random)
        let scaled = (0..<power + 9).reduce(coefficient) { value, _ in value * 10 }
        // The same number with its decimal point moved to the left, and the exponent raised accordingly.
        let shift = Int.random(in: 0...5, using: &random)
        var digits = Array(String(abs(coefficient)))
        digits = Array(repeating: "0", count: max(0, shift + 1 - digits.count)) + digits
        if shift > 0 { digits.insert(".", at: digits.count - shift) }
        if shift > 0 && Bool.random(using: &random) { digits.append("0") }
        let exponent = power + shift
        let mark = exponent == 0 && Bool.random(using: &random) ? "" : "e\(exponent)"
        return ((coefficient < 0 ? "-" : "") + String(digits) + mark, scaled)
    }

    @Test(arguments: ["", "-", "01", "1.", ".5", "+1", "1e", "1 ", " 1", "1,", "a", "0x1", "١", "NaN"])
    func textThatIsNotOneNumberIsNone(text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test func integersAreWrittenInDecimal() {
        #expect(JSONNumber(Int.min).text == "-9223372036854775808")
        #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
    }
}
