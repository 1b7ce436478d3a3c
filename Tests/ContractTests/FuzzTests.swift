import Foundation
import GroupFiles
import JSONText
import TestSupport
import Testing

/// G11, G2: whatever stands in a value's file, it decodes or it is reported; nothing crashes.
struct FuzzTests {
    struct Settings: Codable, Sendable, Equatable {
        struct Station: Codable, Sendable, Equatable {
            var name: String
            var frequency: Double
        }

        var volume: Int
        var isOn: Bool
        var stations: [Station]
        var notes: [String: [String?]]
        var favourite: Station?
    }

    private static let seeds = [
        #"{"isOn":true,"notes":{"a":["x",null],"é":[]},"stations":[{"frequency":104.6,"name":"RTL"}],"volume":11}"#,
        """
        {
          "volume": -3, "isOn": false, "stations": [], "notes": {},
          "favourite": {"name": "\\u00fc\\ud83d\\ude00 \\"q\\"", "frequency": 1.5e2}
        }

        """,
    ].map { Array($0.utf8) }

    private static let pieces: [[UInt8]] =
        [
            "[", "{", "]", "}", ",", ":", "\"", "\\", "\\u", "\\ud800", "null", "true", "1e999", "-", "0.", "00",
            "{\"a\":",
            "/*", "\u{FEFF}", "\u{0}", "\n", "9223372036854775808", "\"volume\":1,", "NaN",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xFF, 0xFE], [0xF4, 0x90, 0x80, 0x80]]

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout some RandomNumberGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let end = Int.random(in: place...bytes.count, using: &generator)
        let short = min(end, place + 8)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator) }
        case 3: if place < bytes.count { bytes[place] = .random(in: 0...255, using: &generator) }
        case 4: bytes.removeLast(bytes.count - place)
        case 5: bytes.removeSubrange(place..<short)
        case 6: bytes.insert(contentsOf: bytes[place..<short], at: place)
        case 7:
            let times = Int.random(in: 0..<100, using: &generator) == 0 ? 600 : 1
            let piece = pieces.randomElement(using: &generator) ?? []
            bytes.insert(contentsOf: (0..<times).flatMap { _ in piece }, at: place)
        case 8: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: place)
        default: bytes.swapAt(min(place, bytes.count - 1), min(end, bytes.count - 1))
        }
        if bytes.isEmpty { bytes = [UInt8(ascii: " ")] }
    }

    private static func mutation(_ generator: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
        for _ in 0...Int.random(in: 0..<3, using: &generator) { mutate(&bytes, &generator) }
        return bytes
    }

    /// 100,000 mutations: of those that are JSON, the codec and `JSONDecoder` agree which ones are values.
    @Test(arguments: 0..<4)
    func G11_mutatedJSONDecodesOrThrows(part: Int) async {
        await blocking {
            var generator = SeededGenerator.ofThisRun(part)
            let codec = GroupCodec<Settings>.json
            var decoded = 0
            for _ in 0..<25_000 {
                let bytes = Self.mutation(&generator)
                let expected = Self.decode(bytes)
                let found: Settings?
                do { found = try codec.decode(Data(bytes)) } catch { found = nil }
                if found != expected { Issue.record("\(bytes): \(String(describing: found))") }
                if found != nil { decoded += 1 }
            }
            #expect(500..<24_000 ~= decoded)
        }
    }

    /// Content that is not a value is reported with a place that exists in the file, and the last good value stays.
    @Test func G11_mutatedJSONIsReported() async throws {
        try await blocking {
            var generator = SeededGenerator.ofThisRun()
            let container = GroupContainer.inMemory()
            let raw = try GroupFile("v", in: container, initialValue: Data(Self.seeds[0]), codec: .data)
            let none = Settings(volume: 0, isOn: false, stations: [], notes: [:])
            let file = try GroupFile("v", in: container, initialValue: none)
            var good = file.value
            for _ in 0..<4000 {
                let bytes = Self.mutation(&generator)
                try raw.write(Data(bytes))
                let expected = Self.decode(bytes)
                let found = Result { () throws(GroupFileError) in try file.read() }
                switch (expected, found) {
                case (nil, .success(let value)) where Self.lacksKeys(bytes):
                    good = value  // The initial value supplies missing keys.
                case (let expected?, .success(let value)) where expected == value:
                    good = value
                case (nil, .failure(let error)):
                    if let problem = Self.problem(error, bytes) { Issue.record("\(problem): \(error) for \(bytes)") }
                    let isTold =
                        if case .invalid(let told) = file.status { Self.areOfOneDecoding(told, error) } else { false }
                    if file.value != good || !isTold {
                        Issue.record("\(file.status), \(file.value), not \(good) and \(error), for \(bytes)")
                    }
                default:
                    Issue.record("\(bytes): \(String(describing: expected)), \(found)")
                }
            }
        }
    }

    /// Where two members of a dictionary are not values, either may be found first.
    private static func areOfOneDecoding(_ a: GroupFileError, _ b: GroupFileError) -> Bool {
        a == b || [a, b].allSatisfy { $0.code == .undecodable && $0.codingPath?.hasPrefix("notes.") == true }
    }

    /// `JSONDecoder` guesses UTF-16 and UTF-32, and passes over what is not JSON in places that it is not asked for.
    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        do throws(JSONTextError) {
            _ = try JSONValue(parsing: bytes)
            return true
        } catch {
            return false
        }
    }

    /// What `JSONDecoder` makes of the bytes, if they are JSON.
    private static func decode(_ bytes: [UInt8]) -> Settings? {
        guard isJSON(bytes) else { return nil }
        do {
            return try JSONDecoder().decode(Settings.self, from: Data(bytes))
        } catch {
            return nil
        }
    }

    /// Whether missing keys are all that is wrong.
    private static func lacksKeys(_ bytes: [UInt8]) -> Bool {
        guard isJSON(bytes) else { return false }
        do {
            _ = try JSONDecoder().decode(Settings.self, from: Data(bytes))
            return false
        } catch DecodingError.keyNotFound, DecodingError.valueNotFound {
            return true
        } catch {
            return false
        }
    }

    /// What is wrong with `error` as a report about `bytes`; nil if nothing is.
    private static func problem(_ error: GroupFileError, _ bytes: [UInt8]) -> String? {
        if error.code != .undecodable || error.path == nil || error.message.isEmpty { return "not said" }
        guard let line = error.line, let column = error.column else {
            return error.codingPath == nil ? "no place" : nil
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if !(1...lines.count ~= line) { return "no such line" }
        return 1...(lines[line - 1].count + 1) ~= column ? nil : "no such column"
    }
}
