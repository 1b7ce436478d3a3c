import Foundation
import PlainJSON
import TestSupport
import Testing

/// Whatever the input, the short way gives the same result as `JSONDecoder` and `JSONEncoder`.
@Suite struct PlainJSONTests {
    private static let pieces = [
        "true", "false", "null", "0", "-", "1", "9", "00", "-0", "12", "123456789012345", "999999999999999", "1e3",
        ".5",
        ".", "E", "\"", "\\", "\\n", "a", " ", "é", "\u{7F}", "\n", "\t", "[", "{", "\u{0}", "\u{1F600}", "/", "lamp",
    ]

    private func agrees<Value: Codable & Equatable & Sendable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Bool {
        let plain = PlainCodec<Value>()
        guard let value = plain.value(in: bytes) else { return false }
        let decoded = try JSONDecoder().decode(Value.self, from: Data(bytes))
        #expect(value == decoded, "\(String(decoding: bytes, as: UTF8.self))")
        return true
    }

    private func encodes<Value: Codable & Equatable & Sendable>(_ value: Value) throws -> Bool {
        let plain = PlainCodec<Value>()
        guard let bytes = plain.encode(value) else { return false }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(bytes == Array(try encoder.encode(value)) + [UInt8(ascii: "\n")], "\(value)")
        #expect(plain.value(in: bytes) ?? value == value)
        return true
    }

    @Test func decodingAgrees() throws {
        var random = SeededGenerator.ofThisRun()
        var plain = 0
        for round in 0..<20_000 {
            let count = Int.random(in: 0...4, using: &random)
            var bytes = (0..<count).flatMap { _ in Array((Self.pieces.randomElement(using: &random) ?? "").utf8) }
            if round % 2 == 0 { bytes = Array("\"".utf8) + bytes + Array("\"".utf8) }
            if round % 3 == 0 { bytes.append(UInt8(ascii: "\n")) }
            if round % 7 == 0, !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            switch round % 4 {
            case 0: if try agrees(String.self, bytes) { plain += 1 }
            case 1: if try agrees(Int.self, bytes) { plain += 1 }
            case 2: if try agrees(Double.self, bytes) { plain += 1 }
            default: if try agrees(Bool.self, bytes) { plain += 1 }
            }
        }
        #expect(plain > 300)
    }

    @Test func encodingAgrees() throws {
        var random = SeededGenerator.ofThisRun()
        var plain = 0
        for value in [true, false] where try encodes(value) { plain += 1 }
        for value in [Int.min, -1, 0, 1, Int.max] { #expect(try encodes(value)) }
        for _ in 0..<4_000 {
            if try encodes(Int.random(in: -999_999_999_999_999...999_999_999_999_999, using: &random)) { plain += 1 }
            let count = Int.random(in: 0...4, using: &random)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            if try encodes(text) { plain += 1 }
            let whole = Double(Int.random(in: -1_000_000...1_000_000, using: &random))
            for number in [whole, whole / 8, -0.0, 1e14, 1e15, 1e300] where try encodes(number) { plain += 1 }
        }
        #expect(plain > 5_000)
    }

    /// Numbers that one version wrote in full, another reads in full.
    @Test func numbersOfAnyLengthComeBack() throws {
        let plain = PlainCodec<Int>()
        for value in [Int.min, Int.max, 1_000_000_000_000_000_000] {
            let bytes = try #require(plain.encode(value))
            // Without its sign, `Int.min` does not fit into an `Int`.
            #expect(plain.value(in: bytes) == (value < 0 ? nil : value))
            #expect(try JSONDecoder().decode(Int.self, from: Data(bytes)) == value)
        }
        for text in ["9223372036854775808", "9999999999999999999", "10000000000000000000", "18446744073709551616"] {
            #expect(plain.value(in: Array(text.utf8)) == nil)
            #expect(PlainCodec<Double>().value(in: Array(text.utf8)) == Double(text))
        }
    }

    /// Files of one type share the verdict whether the short way is worth a try, although some of them may be plain.
    @Test func plainContentsAreFoundAgainAfterManyOthers() {
        struct Station: Codable, Sendable {
            var name: String
        }

        let plain = PlainCodec<Station>()
        let (simple, other) = (Array(#"{"name":"RTL"}"#.utf8), Array(#"{"name":"\u0052TL"}"#.utf8))
        #expect(plain.value(in: simple) != nil)
        for _ in 0..<100 { #expect(plain.value(in: other) == nil) }
        #expect((0..<32).contains { _ in plain.value(in: simple) != nil })
        #expect(plain.value(in: simple) != nil)
    }

    enum Source: Codable, Sendable {
        case none
        case at(URL)
    }

    /// Nor does a value that the short way knows only in part: the next value may have no such part.
    @Test func oneThatIsNotPlainSaysNothingOfTheNext() throws {
        let plain = PlainCodec<[Source]>()
        #expect(plain.value(in: Array(#"[{"at":{"_0":"http://x/"}}]"#.utf8)) == nil)
        #expect(plain.value(in: Array(#"[{"none":{}}]"#.utf8)) != nil)
        let page = try #require(URL(string: "http://x/"))
        #expect(plain.encode([.at(page)]) == nil)
        #expect(plain.encode([.none]) == Array(#"[{"none":{}}]"#.utf8) + [UInt8(ascii: "\n")])
    }

    struct Page: Codable, Sendable {
        @TaskLocal static var tries = Log<Bool>()
        var address: URL

        private enum CodingKeys: CodingKey { case address }

        init(from decoder: any Decoder) throws {
            Self.tries.append(true)
            address = try decoder.container(keyedBy: CodingKeys.self).decode(URL.self, forKey: .address)
        }
    }

    @Test func whatIsNeverPlainIsHardlyEverTried() {
        let plain = PlainCodec<Page>()
        let tries = Log<Bool>()
        Page.$tries.withValue(tries) {
            for _ in 0..<336 { #expect(plain.value(in: Array(#"{"address":"http://x/"}"#.utf8)) == nil) }
        }
        #expect(tries.elements.count <= 16 + 320 / 15 + 1)
    }
}
