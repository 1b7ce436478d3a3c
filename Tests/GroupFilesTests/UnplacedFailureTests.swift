import Foundation
import GroupFiles
import TestSupport
import Testing

/// A number that does not fit its type, and a date in another format than the codec's, are reported with their places.
struct UnplacedFailureTests {
    struct Server: Codable, Sendable, Equatable {
        var port = 80
        var name: String? = "x"
        var load: [String: Double] = [:]
    }

    struct Settings: Codable, Sendable, Equatable {
        var servers: [Server] = []
    }

    enum Level: Int, Codable, Sendable {
        case low = 0
        case high = 1
    }

    private static func expect<T: Codable & Sendable>(
        _ text: String, _ initial: T, _ place: String?, _ column: Int, _ what: String
    ) throws {
        let bench = try Backend.memory.make()
        try bench.put(text, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: initial)
        let error = #expect(throws: GroupFileError.self) { try file.read() }
        #expect(error?.code == .undecodable)
        #expect(error?.codingPath == place, "\(text)")
        #expect(error?.line == 1)
        #expect(error?.column == column, "\(text)")
        #expect(error?.message.hasPrefix("The number \(what). ") == true, "\(String(describing: error))")
    }

    @Test func itIsToldWhichNumberDoesNotFitWhat() throws {
        try Self.expect(
            #"{"servers":[{"port":80.5,"load":{}}]}"#, Settings(), "servers[0].port", 21, "80.5 does not fit Int")
        // Keys that an older version did not write are filled in from elsewhere meanwhile.
        try Self.expect(#"{"port":80.5}"#, Server(), "port", 9, "80.5 does not fit Int")
        try Self.expect(#"{"port":1,"load":{"a":1e999}}"#, Server(), "load.a", 23, "1e999 does not fit Double")
        try Self.expect("[1, 300]", [UInt8](), "[1]", 5, "300 does not fit UInt8")
        try Self.expect("[[1], [-1]]", [[UInt]](), "[1][0]", 8, "-1 does not fit UInt")
        try Self.expect(#"{"a": {"b": -1}}"#, ["a": ["b": UInt(1)]], "a.b", 13, "-1 does not fit UInt")
        try Self.expect("[1e999]", [Double](), "[0]", 2, "1e999 does not fit Double")
        try Self.expect("99999999999999999999", 0, nil, 1, "99999999999999999999 does not fit Int")
        try Self.expect("[null, 1.5]", [Int?](), "[1]", 8, "1.5 does not fit Int")
        try Self.expect("[0.5]", [Level](), "[0]", 2, "0.5 does not fit Int")
        try Self.expect("[1e999]", [Date](), "[0]", 2, "1e999 does not fit Date")
    }

    struct Visit: Codable, Sendable {
        var when: Date? = Date(timeIntervalSince1970: 0)
        var more: [Date] = []
        var named: [String: Date] = [:]
    }

    @Test func itIsToldWhichDateIsNotISO8601() throws {
        let bench = try Backend.memory.make()
        let texts = [
            (#"[{"when":"today","more":[],"named":{}}]"#, "[0].when", 10),
            (#"[{"more":["2026-01-01T00:00:00Z","x"],"named":{}}]"#, "[0].more[1]", 34),
            (#"[{"more":[],"named":{"a":"x"}}]"#, "[0].named.a", 26),
        ]
        let file = try GroupFile(
            "v", in: bench.container, initialValue: [Visit()],
            codec: .json(encoder: { $0.dateEncodingStrategy = .iso8601 }) { $0.dateDecodingStrategy = .iso8601 })
        for (text, place, column) in texts {
            try bench.put(text, in: "v")
            let error = #expect(throws: GroupFileError.self) { try file.read() }
            #expect(error?.codingPath == place)
            #expect(error?.column == column, "\(text)")
            #expect(error?.message.hasPrefix("Expected date string to be ISO8601-formatted. ") == true)
        }
    }

    final class Chain: Codable, Sendable {
        let next: Chain?
        let numbers: [Int]
    }

    struct Head: Codable, Sendable {
        var chain: Chain?
        var number = 0
    }

    struct Tree: Codable, Sendable {
        var branches: [String: Tree] = [:]
        var numbers: [Int] = []
    }

    /// However deep the number lies: to describe each place on the way there would take quadratic time.
    @Test(.endsInTime) func theNumberIsFoundWhereMuchIsDeep() throws {
        let numbers = (0..<20_000).map(String.init).joined(separator: ",")
        func nested(_ depth: Int, _ begin: String, _ inner: String, _ end: String) -> String {
            String(repeating: begin, count: depth) + inner + String(repeating: end, count: depth)
        }
        let chain = nested(400, #"{"next":"#, "{\"numbers\":[\(numbers)]}", #","numbers":[]}"#)
        let head = "{\"chain\":\(chain),\"number\":1.5}"
        try Self.expect(head, Head(), "number", head.utf8.count - 3, "1.5 does not fit Int")
        let depth = 200
        let tree = nested(
            depth, #"{"branches":{"a":"#, "{\"branches\":{},\"numbers\":[\(numbers),1.5]}", #"},"numbers":[]}"#)
        let place = String(repeating: "branches.a.", count: depth) + "numbers[20000]"
        let column = depth * 17 + "{\"branches\":{},\"numbers\":[\(numbers),".utf8.count + 1
        try Self.expect(tree, Tree(), place, column, "1.5 does not fit Int")
    }

    struct Wide: Codable, Sendable {
        var id: UInt128 = 0
        var maybe: Int128?
        var list: [Int128] = []
        var port: Int8 = 0
    }

    @Test func numbersThatFitAreNotBlamed() throws {
        try Self.expect(
            #"{"id":1,"maybe":2,"list":[3],"port":300}"#, Wide(), "port", 37, "300 does not fit Int8")
        try Self.expect(#"{"list":[],"port":300}"#, Wide(), "port", 19, "300 does not fit Int8")
        try Self.expect(#"{"id":-1}"#, Wide(), "id", 7, "-1 does not fit UInt128")
    }

    struct Guests: Codable, Sendable {
        var perTable: [String: [String: [Int8]]] = [:]
    }

    /// The keys of a dictionary are named as they are in the text, however a type's keys are converted.
    @Test func keysOfDictionariesAreNamedAsTheyAre() throws {
        let codec = GroupCodec<Guests>.json(
            encoder: { $0.keyEncodingStrategy = .convertToSnakeCase },
            decoder: { $0.keyDecodingStrategy = .convertFromSnakeCase })
        let bench = try Backend.memory.make()
        try bench.put(#"{"per_table":{"a_b":{"c_d":[1],"e_f":[1,300],"x_y":[]},"b":{}}}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Guests(), codec: codec)
        let error = #expect(throws: GroupFileError.self) { try file.read() }
        #expect(error?.codingPath == "perTable.a_b.e_f[1]")
        #expect(error?.column == 41)
        #expect(error?.message.hasPrefix("The number 300 does not fit Int8. ") == true)
    }

    /// Errors that a type throws itself stay as they are.
    @Test func otherErrorsAreAsTheyWere() throws {
        let bench = try Backend.memory.make()
        try bench.put("7", in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Level.low)
        let error = #expect(throws: GroupFileError.self) { try file.read() }
        #expect(error?.message.contains("Level") == true)
        try bench.put("[1.5", in: "w")
        let cut = try GroupFile("w", in: bench.container, initialValue: [1])
        #expect(throws: GroupFileError.self) { try cut.read() }
    }

    /// JSON in a string of JSON.
    struct Envelope: Codable, Sendable {
        var payload = "[]"
        var version = 1

        private enum CodingKeys: CodingKey { case payload, version }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            payload = try container.decode(String.self, forKey: .payload)
            version = try container.decode(Int.self, forKey: .version)
            _ = try JSONDecoder().decode([Int].self, from: Data(payload.utf8))
        }
    }

    @Test func aNumberThatWasDecodedIsNotBlamedForWhatFollows() throws {
        let bench = try Backend.memory.make()
        try bench.put(#"{"payload":"nope","version":2}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Envelope())
        let error = #expect(throws: GroupFileError.self) { try file.read() }
        #expect(error?.codingPath == nil)
        #expect(error?.message.contains("does not fit") == false)
        try Self.expect(
            #"{"payload":"[]","version":2.5}"#, Envelope(), "version", 27, "2.5 does not fit Int")
    }
}
