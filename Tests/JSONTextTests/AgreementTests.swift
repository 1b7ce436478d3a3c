import FoundationEssentials
import TestSupport
import Testing

@testable import JSONText

/// JSONDecoder accepts the same texts as we do, and reads the same values in them.
///
/// Only these known differences are excepted: JSONDecoder reads UTF-16 and UTF-32; it accepts a comma before a closing
/// bracket; and it refuses numbers too large or too small for a `Double`, and some zeros with an exponent, such as
/// `0e5`. It does not look into the later values of duplicate keys, but mutations of these seeds do not lead to that.
struct AgreementTests {
    static let seeds: [String] = [
        #"{"name":"Ä\u00e4\n","ports":[80,443.0,-1e5],"on":true,"off":false,"none":null,"deep":[[[{}]]]}"#,
        #"[0,-0,1.5,10E-2,1e+3,"","\ud83d\ude00","\\\"\/\b\f\r\t",[],{}]"#,
        #" { "a" : { "b" : [ 1 , 2 ] } , "é" : "€" } "#, #""a string, 😀 and \u0000""#, "-12.50e-07", "true", "null",
    ]

    /// What mutations insert: elements of the grammar, and what the grammar must refuse.
    static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "1", "-", "+", ".", "e", "E", " ", "\n", "\t", "\u{0}",
            "\u{1F}", "\u{7F}", "\\u", "\\ud83d", "\\ude00", "\\uD800", "\\n", "\\x", "true", "false", "null", "nul",
            "\"a\":", "[]", "{}", "\"\"", "é", "😀", "\u{FEFF}", "/", "//", "'", "01", "1.", "NaN", "Infinity",
        ].map { Array($0.utf8) } + [
            [0x80], [0xC0, 0xAF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82],
            [0xF0, 0x9F],
        ]

    @Test(arguments: 1...4)
    func agreesWithJSONDecoderOnMutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let decoder = JSONDecoder()
        var agreed = (accepted: 0, refused: 0)
        for _ in 0..<6_000 {
            var bytes = Array(random.choose(Self.seeds).utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&bytes, using: &random) }
            switch Self.compare(bytes, decoder) {
            case .bothAccept: agreed.accepted += 1
            case .bothRefuse: agreed.refused += 1
            case .knownDifference: break
            case .disagreement(let what): Issue.record("\(what): \(String(decoding: bytes, as: UTF8.self)) \(bytes)")
            }
        }
        // Both outcomes must be common, or else nothing has been compared.
        #expect(agreed.accepted > 500)
        #expect(agreed.refused > 2_000)
    }

    private static func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...3, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeSubrange(start..<end)
        case 1, 2: bytes.insert(contentsOf: random.choose(pieces), at: start)
        case 3: bytes.replaceSubrange(start..<end, with: random.choose(pieces))
        case 4: bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0...bytes.count, using: &random))
        default: if start < bytes.count { bytes[start] = UInt8.random(in: 0...255, using: &random) }
        }
    }

    private enum Outcome {
        case bothAccept, bothRefuse, knownDifference
        case disagreement(String)
    }

    private static func compare(_ bytes: [UInt8], _ decoder: JSONDecoder) -> Outcome {
        let ours = Result { () throws(JSONTextError) in try JSONValue(parsing: bytes) }
        let theirs = Result { try decoder.decode(DecodedJSON.self, from: Data(bytes)) }
        switch (ours, theirs) {
        case (.success(let ours), .success(let theirs)):
            return theirs.agrees(with: ours) ? .bothAccept : .disagreement("read differently")
        case (.failure, .failure): return .bothRefuse
        case (.success(let ours), .failure):
            return ours.hasNumberThatJSONDecoderRefuses ? .knownDifference : .disagreement("only we accept")
        case (.failure(let fault), .success):
            let isMarkedUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            if isMarkedUTF16 || bytes.prefix(4).contains(0) { return .knownDifference }
            // Without the comma that JSONDecoder accepts, both must agree again.
            if let comma = trailingComma(fault, in: bytes) {
                var strict = bytes
                strict.remove(at: comma)
                return compare(strict, decoder)
            }
            return .disagreement("only JSONDecoder accepts")
        }
    }

    /// The offset of the comma before a closing bracket, if that is the fault.
    private static func trailingComma(_ fault: JSONTextError, in bytes: [UInt8]) -> Int? {
        guard let byte = bytes.dropFirst(fault.byteOffset).first, byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
        else { return nil }
        let last = bytes[..<fault.byteOffset].lastIndex { !" \t\r\n".utf8.contains($0) }
        return last.flatMap { bytes[$0] == UInt8(ascii: ",") ? $0 : nil }
    }
}
