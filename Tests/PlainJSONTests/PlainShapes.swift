import Foundation
import PlainJSON
import TestSupport
import Testing

/// A type, documents for it, and how the plain way's results compare with those of `JSONDecoder` and `JSONEncoder`.
struct Shape: Sendable, CustomTestStringConvertible {
    enum Verdict: Equatable {
        /// The plain way declined, and left the work to the others.
        case left
        case agrees
        case differs(String)
    }

    let testDescription: String
    let seeds: [String]
    /// Whether the plain way decodes the seeds, and encodes their values.
    let isDecoded: Bool
    let isEncoded: Bool
    let decoding: @Sendable ([UInt8]) -> Verdict
    /// For the value that `JSONDecoder` makes of the document; nil if it makes none.
    let encoding: @Sendable ([UInt8]) -> Verdict?

    init<Value: Codable & Equatable & Sendable>(
        _ type: Value.Type, isDecoded: Bool = true, isEncoded: Bool? = nil, _ seeds: String...
    ) {
        testDescription = "\(type)"
        self.seeds = seeds
        self.isDecoded = isDecoded
        self.isEncoded = isEncoded ?? isDecoded
        decoding = { bytes in
            guard let value = PlainCodec<Value>().value(in: bytes) else { return .left }
            let expected = Result { try JSONDecoder().decode(Value.self, from: Data(bytes)) }
            if case .success(value) = expected { return .agrees }
            return .differs("\(value) for \(String(decoding: bytes, as: UTF8.self)), \(expected)")
        }
        encoding = { bytes in
            guard let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)) else { return nil }
            return Self.encoding(value)
        }
    }

    static func encoding<Value: Codable & Sendable>(_ value: Value) -> Verdict {
        guard let bytes = PlainCodec<Value>().encode(value) else { return .left }
        let expected = Result { try encoder.encode(value) }
        if case .success(let data) = expected, bytes == Array(data) + [UInt8(ascii: "\n")] { return .agrees }
        let found = String(decoding: bytes, as: UTF8.self)
        return .differs("\(found) for \(value), \(expected.map { String(decoding: $0, as: UTF8.self) })")
    }

    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}

/// Changes documents, mostly so that they stay valid JSON.
struct Mutator {
    private static let scalars = [
        "0", "1", "-1", "5.0", "0.1", "-0", "-0.0", "01", "1.", ".5", "1e3", "1E-2", "255", "256", "-129", "2147483648",
        "999999999999999999", "1000000000000000000", "9223372036854775808", "18446744073709551616",
        "0.30000000000000004", "123456789.12345678", "9007199254740993", "9007199254740993.5", "16777217", "0.00000001",
        "0.000000000000000000000000000001", "true", "false", "null", "tru", "nullx", "NaN", #""""#, #""lamp""#,
        #""a""#, #""é""#, #""\u0061""#, #""\n""#, #""\ud800""#, "\"\u{FEFF}x\"", "\"\u{7F}\"", "\"\u{2028}\"",
        "\"e\u{301}\"",
        #""AQI=""#, #""http://x/""#, "[]", "{}", "[1]", #"{"a":1}"#, "\"\t\"", "'a'", "\"", "//", "\u{FEFF}", "\u{0}",
    ]
    private static let spaces = [" ", "\n", "\r\n", "\t", "  ", "\u{A0}", "\u{B}", "\u{0}"]

    var generator: SeededGenerator

    mutating func document(from seed: String) -> [UInt8] {
        var tokens = Self.tokens(seed)
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !tokens.isEmpty { change(&tokens) }
        var bytes = Array(tokens.joined().utf8)
        if Int.random(in: 0..<8, using: &generator) == 0, let place = bytes.indices.randomElement(using: &generator) {
            bytes[place] =
                Bool.random(using: &generator) ? .random(in: 0...255, using: &generator) : bytes[place] ^ 0x20
        }
        return bytes
    }

    private mutating func change(_ tokens: inout [String]) {
        let place = Int.random(in: tokens.indices, using: &generator)
        switch Int.random(in: 0..<16, using: &generator) {
        case 0: tokens.remove(at: place)
        case 1: tokens.insert(tokens[place], at: place)
        case 2: tokens.swapAt(place, Int.random(in: tokens.indices, using: &generator))
        case 3..<6:
            tokens.insert(
                generator.choose(Array(Self.spaces.prefix(Bool.random(using: &generator) ? 5 : 8))), at: place)
        case 6..<10: insertMember(&tokens)
        default:
            let values = tokens.indices.filter { !"{}[]:,".contains(tokens[$0]) && tokens[$0] != ":" }
            if let place = values.randomElement(using: &generator) { tokens[place] = generator.choose(Self.scalars) }
        }
    }

    /// Often a member whose name already exists.
    private mutating func insertMember(_ tokens: inout [String]) {
        guard let object = tokens.indices.filter({ tokens[$0] == "{" }).randomElement(using: &generator),
            let key = tokens.filter({ $0.hasPrefix("\"") }).randomElement(using: &generator)
        else { return }
        let value = Bool.random(using: &generator) ? generator.choose(Self.scalars) : generator.choose(tokens)
        let isEmpty = object + 1 < tokens.count && tokens[object + 1] == "}"
        if isEmpty || Bool.random(using: &generator) {
            tokens.insert(contentsOf: [key, ":", value] + (isEmpty ? [] : [","]), at: object + 1)
        } else if let end = tokens.lastIndex(of: "}") {
            tokens.insert(contentsOf: [",", key, ":", value], at: end)
        }
    }

    static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var isString = false
        var isWord = false
        for character in text {
            if isString {
                tokens[tokens.count - 1].append(character)
                isString = character != "\""
            } else if "{}[]:, \n".contains(character) || character == "\"" {
                tokens.append(String(character))
                isString = character == "\""
                isWord = false
            } else if isWord {
                tokens[tokens.count - 1].append(character)
            } else {
                tokens.append(String(character))
                isWord = true
            }
        }
        return tokens
    }
}
