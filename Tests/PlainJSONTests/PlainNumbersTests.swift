import Foundation
import PlainJSON
import TestSupport
import Testing

/// The plain way preserves numbers to the last bit, and to the last digit.
struct PlainNumbersTests {
    private func expect<Value: Codable & Sendable>(
        _ verdict: Shape.Verdict, _ value: Value, at place: SourceLocation = #_sourceLocation
    ) {
        #expect(Shape.encoding(value) == verdict, "\(value)", sourceLocation: place)
    }

    @Test func numbersAreWrittenAsJSONEncoderWritesThem() async {
        for value in [Int.min, -1, 0, 1, 9, 10, 99, 100, .max] { expect(.agrees, value) }
        expect(.agrees, [UInt64.max, 0])
        expect(.agrees, [Int8.min, .max])
        expect(.agrees, [-0.0, 0, 1, -1, 0.1, 1e15, 1e15 - 1, 999_999_999_999_999.9, 9_007_199_254_740_991, 1e-4])
        expect(.agrees, [Float(0.1), 16_777_216, -2.5, -0.0])
        for value in [Double.infinity, -.infinity, .nan, 1e16, 1e300, 1e-5, .leastNonzeroMagnitude] {
            expect(.left, value)
        }
        for value in [Float.infinity, .nan, 1e30] { expect(.left, [value]) }
        await blocking {
            var random = SeededGenerator(seed: 5)
            for _ in 0..<2000 {
                let bits = Double(bitPattern: random.next())
                let decimal = Double(Int.random(in: -999_999_999...999_999_999, using: &random)) / 1000
                for value in [bits, decimal, Double(Int64(truncatingIfNeeded: random.next()) >> 12)] {
                    if case .differs(let how) = Shape.encoding(value) { Issue.record("\(how)") }
                }
                #expect(Shape.encoding(decimal) == .agrees)
            }
        }
    }

    @Test func floatsAreReadAsJSONDecoderReadsThem() async throws {
        try await blocking {
            var random = SeededGenerator(seed: 7)
            var plain = 0
            for _ in 0..<3000 {
                let digits = random.next() >> UInt64.random(in: 24..<64, using: &random)
                let zeros = String(repeating: "0", count: Int.random(in: 0..<10, using: &random))
                let bytes = Array("[\(digits), 0.\(zeros)\(digits), \(digits % 100).\(digits)]".utf8)
                guard let found = PlainCodec<[Float]>().value(in: bytes) else { continue }
                let numbers = try JSONDecoder().decode([Float].self, from: Data(bytes))
                #expect(found.map(\.bitPattern) == numbers.map(\.bitPattern), "\(digits)")
                plain += 1
            }
            #expect(plain > 300)
        }
    }

    @Test func doublesAreReadAsJSONDecoderReadsThem() async throws {
        try await blocking {
            var random = SeededGenerator(seed: 6)
            let plain = PlainCodec<[Double]>()
            for text in ["[-0]", "[-0.0]", "[0.0]", "[0.000000000000000000001]", "[9007199254740993.0]"] {
                let numbers = try JSONDecoder().decode([Double].self, from: Data(text.utf8))
                let found = plain.value(in: Array(text.utf8)) ?? numbers
                #expect(found.map(\.bitPattern) == numbers.map(\.bitPattern), "\(text)")
            }
            for _ in 0..<2000 {
                let whole = random.next() >> UInt64.random(in: 0..<64, using: &random)
                let fraction = random.next() >> UInt64.random(in: 0..<64, using: &random)
                let zeros = String(repeating: "0", count: Int.random(in: 0..<6, using: &random))
                let text = "[\(whole).\(zeros)\(fraction), -\(fraction), 0.\(zeros)\(whole)]"
                let numbers = try JSONDecoder().decode([Double].self, from: Data(text.utf8))
                let found = try #require(
                    fraction == 0 || fraction > 999_999_999_999_999_999 ? numbers : plain.value(in: Array(text.utf8)))
                #expect(found.map(\.bitPattern) == numbers.map(\.bitPattern), "\(text)")
            }
        }
    }
}
