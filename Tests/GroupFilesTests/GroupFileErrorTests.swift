import Foundation
import GroupFiles
import PlainJSON
import SystemCalls
import TestSupport
import Testing

/// What programs and their tests do with errors, states and changes.
struct GroupFileErrorTests {
    @Test func howeverItIsLoggedItIsTheSentence() throws {
        let file = try GroupFile("v", in: .inMemory(), initialValue: 0, access: .readOnly)
        let error = try #require(throws: GroupFileError.self) { try file.write(1) }
        #expect(error.description.contains(error.message))
        #expect(error.localizedDescription == error.description)
        let timedOut = TimedOut(timeout: .seconds(1))
        #expect(timedOut.localizedDescription == timedOut.description)
        #expect((error as NSError).localizedDescription == error.description)
        #expect("\(TimedOut(timeout: .seconds(5)))".contains("within 5.0 seconds"))
        #expect("\(TimedOut(timeout: .zero))".contains("no value meets the condition now"))
    }

    /// A sticky directory, or an immutable file.
    @Test func whatNeitherOwnerNorPermissionsForbidIsTold() throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 1)
        let error = SystemCallTap.failing(.renameat2, with: .notPermitted) {
            #expect(throws: GroupFileError.self) { try file.write(2) }
        }
        #expect(error?.code == .permissionDenied)
        #expect(error?.message.contains("sticky") == true && error?.message.contains("lsattr") == true)
    }

    /// A sandbox that lets nothing be moved from one directory to another.
    @Test func whatASandboxForbidsIsTold() throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 1)
        let error = SystemCallTap.failing(.renameat2, with: .crossDevice) {
            #expect(throws: GroupFileError.self) { try file.write(2) }
        }
        #expect(error?.message.contains("REFER") == true, "\(error?.message ?? "")")
    }

    /// As in an error made by a codec, which knows of no file.
    @Test func withoutAPathThePlaceComesFirst() {
        #expect("\(GroupFileError(.undecodable, line: 3, column: 4, message: "no"))" == "3:4: no")
        #expect("\(GroupFileError(.undecodable, path: "/f", line: 3, message: "no"))" == "/f:3:1: no")
    }

    @Test func whatIsPrintedNamesTypeAndPath() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        #expect("\(container)" == "GroupContainer(\(folder.path("c")))")
        let file = try GroupFile("v", in: container, initialValue: [1])
        #expect("\(file)" == "GroupFile<Array<Int>>(\(folder.path("c/v")))")
    }

    private struct Pair: Codable, Sendable {
        var numbers: [Int]

        init(from decoder: any Decoder) throws {
            var array = try decoder.unkeyedContainer()
            numbers = [try array.decode(Int.self), try array.decode(Int.self)]
        }
    }

    private struct Grid: Codable, Sendable {
        init(from decoder: any Decoder) throws {
            var array = try decoder.unkeyedContainer()
            _ = try array.nestedUnkeyedContainer()
            _ = try array.nestedContainer(keyedBy: CodingKeys.self)
        }

        func encode(to encoder: any Encoder) throws {}

        enum CodingKeys: CodingKey { case x }
    }

    private enum Shape: Codable, Sendable {
        case circle(radius: Double)
        case none
    }

    private struct Point: Codable, Sendable { var x: Int }

    private struct Odd: Codable, Sendable, LocalizedError {
        var errorDescription: String? { "It has to be even." }
        init() {}
        init(from decoder: any Decoder) throws { throw Odd() }
    }

    private func message<T: Codable & Sendable>(_ type: T.Type, of text: String) throws -> String {
        let folder = try TemporaryDirectory()
        try folder.write(text, to: "v")
        let container = try GroupContainer(directory: folder.path, access: .readOnly)
        let file = try container.file(named: "v", as: type)
        let message = try #require(throws: GroupFileError.self) { try file.read() }.message
        return try #require(message.hasSuffix(". Correct the file, or write a new value.") ? message : nil)
            .replacing(". Correct the file, or write a new value.", with: "")
    }

    @Test func whatDoesNotDecodeIsSaidAsItIs() throws {
        #expect(try message(Int.self, of: "\"1\"") == "It is a string, not of type Int")
        #expect(try message(Point.self, of: "[1]") == "It is an array, not an object")
        #expect(try message([Int].self, of: "{}") == "It is an object, not an array")
        #expect(try message(String.self, of: "1") == "It is a number, not of type String")
        #expect(try message([String: Bool].self, of: "{\"a\":null}") == "It is null, not of type Bool")
        #expect(try message([Double].self, of: "[true]") == "It is a Boolean, not of type Double")
        #expect(try message(Point.self, of: "{\"x\":null}") == "It is null where Int is expected")
        #expect(try message(Pair.self, of: "[1]") == "The array ends where Int is expected")
        #expect(try message(Grid.self, of: "[]") == "The array ends where an array is expected")
        #expect(try message(Grid.self, of: "[[]]") == "The array ends where an object is expected")
        #expect(
            try message(Shape.self, of: "{}") == "It is not of type Shape: Invalid number of keys found, expected one")
        #expect(
            try message(Shape.self, of: "{\"circle\":{\"radius\":1},\"none\":{}}")
                == "It is not of type Shape: Invalid number of keys found, expected one")
        #expect(try message(Shape.self, of: "{\"dot\":{}}") == "It is not of type Shape, which has no case \"dot\"")
        let long = String(repeating: "d", count: 50)
        #expect(
            try message(Shape.self, of: "{\"\(long)\":{}}")
                == "It is not of type Shape, which has no case \"\(long.prefix(40))…\"")
        #expect(
            try message(
                [[String: Shape]].self, of: "\u{FEFF}[{}, {\"a\":{\"none\":{}},\n \"b\": {\"d\\u006ft\" :[{}]}}]")
                == "It is not of type Shape, which has no case \"dot\"")
        #expect(
            try message([Int: String].self, of: "{\"one\":\"1\"}")
                == "It is not of type Int: Expected Int key but found String key instead")
        #expect(try message(Odd.self, of: "1") == "It does not decode: It has to be even")
        #expect(
            try message(Date.self, of: "\"2026-11-25T09:00:00Z\"")
                == "It is a string, not of type Double, as a Date is written unless its codec says otherwise")
    }

    /// Failures of a codec other than JSON have no line, but they have the coding path.
    @Test func whatAPropertyListLacksIsFoundByItsPath() throws {
        let codec = GroupCodec<[String: [Point]]>(
            encode: { try PropertyListEncoder().encode($0) },
            decode: { try PropertyListDecoder().decode([String: [Point]].self, from: $0) })
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path)
        let file = try GroupFile("v", in: container, initialValue: ["a": [Point(x: 1)]], codec: codec)
        try PropertyListEncoder().encode(["a": [["y": 1]]]).write(to: URL(filePath: file.path))
        let error = try #require(throws: GroupFileError.self) { try file.read() }
        #expect(error.codingPath == "a[0].x")
        #expect(error.line == nil)
        #expect(error.message == "The key \"x\" is missing. Correct the file, or write a new value.")
        try folder.write("<plist>", to: "v")
        let corrupt = try #require(throws: GroupFileError.self) { try file.read() }
        #expect(corrupt.codingPath == nil)
        #expect(corrupt.message.contains("not a valid property list (Error"), "\(corrupt)")
    }

    /// A codec knows its text, but not the file.
    @Test(arguments: Backend.allCases)
    func aCodecOfOnesOwnMayNameTheLine(backend: Backend) throws {
        let bench = try backend.make()
        let numbers = GroupCodec<Int>(
            encode: { Data("n = \($0)\n".utf8) },
            decode: { data in
                let text = String(decoding: data, as: UTF8.self)
                if let number = Int(text.dropFirst("n = ".count).dropLast()) { return number }
                // As in a codec that reads a second value, which does not decode.
                if text == "other" { throw GroupFileError(.undecodable, path: "/other", line: 1, message: "No.") }
                throw GroupFileError(.undecodable, codingPath: "n", line: 1, column: 5, message: "It is no number.")
            })
        try bench.put("n = x\n", in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: 0, codec: numbers)
        let error = try #require(throws: GroupFileError.self) { try file.read() }
        #expect(
            error.description
                == "\(file.path):1:5: It does not decode: It is no number. Correct the file, or write a new value. (at n)"
        )
        #expect(file.status == .invalid(error))
        try bench.put("other", in: "v")
        let second = try #require(throws: GroupFileError.self) { try file.read() }
        #expect(second.line == nil)
        #expect(second.message == "It does not decode: /other:1:1: No. Correct the file, or write a new value.")
    }

    private struct Hall: Codable, Sendable {
        enum Section: Int, CodingKey { case tables = 7 }

        struct Table: Codable, Sendable {
            var seats: [Int: Double]

            init(seats: [Int: Double]) {
                self.seats = seats
            }

            init(from decoder: any Decoder) throws {
                seats = try decoder.container(keyedBy: Section.self).decode([Int: Double].self, forKey: .tables)
            }
        }

        var byNumber: [Int: [Int]] = [:]
        var byName: [String: [[String: Int]]] = [:]
        var tables: [Table] = []
        var spare: [Int: Double] = [:]
    }

    @Test(arguments: [
        (#"{"byNumber":{"1":[],"2":"x"}}"#, #"byNumber["2"]"#),
        (#"{"byNumber":{"-1":[0,"x"]}}"#, #"byNumber["-1"][1]"#),
        (#"{"byName":{"a.b":[{"1":"x"}]}}"#, #"byName["a.b"][0]["1"]"#),
        (#"{"byName":{"a_b":[{},{"\u0022":"x"}]}}"#, #"byName.a_b[1]["\""]"#),
        (#"{"byName":{"Index 0":[{"é":"x"}]}}"#, #"byName["Index 0"][0]["é"]"#),
        (#"{"tables":[{"tables":{}},{"tables":7}]}"#, "tables[1].tables"),
        (#"{"byNumber":{"2":[0.5]}}"#, #"byNumber["2"][0]"#),
        (#"{"tables":[{"tables":{"1":1e999}}]}"#, #"tables[0].tables["1"]"#),
    ])
    func keysAreToldFromPlaces(text: String, place: String) throws {
        let bench = try Backend.memory.make()
        try bench.put(text, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Hall())
        #expect(try #require(throws: GroupFileError.self) { try file.read() }.codingPath == place)
    }

    @Test func soTheyAreWhereAValueCannotBeEncoded() throws {
        let file = try GroupFile("v", in: .inMemory(), initialValue: Hall())
        let hall = Hall(tables: [.init(seats: [1: 2]), .init(seats: [3: .nan])])
        #expect(
            try #require(throws: GroupFileError.self) { try file.write(hall) }.codingPath == #"tables[1].seats["3"]"#)
        let spare = Hall(spare: [3: .nan])
        #expect(try #require(throws: GroupFileError.self) { try file.write(spare) }.codingPath == #"spare["3"]"#)
        let list = try GroupFile("w", in: .inMemory(), initialValue: [1.0])
        #expect(try #require(throws: GroupFileError.self) { try list.write([1, .nan]) }.codingPath == "[1]")
    }

    private struct FullDisk {
        func write(_ value: Int) throws(GroupFileError) {
            throw GroupFileError(.noSpace, path: "/v", message: "make room")
        }
    }

    @Test func doublesOfOnesOwnSpeakTheTypes() throws {
        let error = try #require(throws: GroupFileError.self) { try FullDisk().write(1) }
        #expect(error.code == .noSpace)
        #expect(error.message == "make room")
        #expect(error.description == "/v: make room")
        let state = GroupFileState(value: 1, status: .invalid(error), health: .live)
        #expect(state == GroupFileState(value: 1, status: .invalid(error), health: .live))
        #expect(
            GroupFileChange(old: 1, new: 2, isOwn: true) != GroupFileChange(old: 1, new: 2, isOwn: false))
    }

    private struct Guests: Codable, Sendable {
        struct Table: Codable, Sendable {
            var seatCount: Int
        }

        var allTables: [Table] = []
        var byName: [String: Table] = [:]
    }

    /// Whatever a type calls its keys, the text has its own names for them.
    @Test(arguments: [
        ("{\"by_name\":{},\"all_tables\":\n\"x\"}", 2, 1),
        (#"{"by_name":{},"all_tables":[{"seat_count":"x"}]}"#, 1, 43),
        (#"{"all_tables":[],"by_name":{"a_b":{"seat_count":1},"aB":{"seat_count":"x"}}}"#, 1, 71),
        (#"{"all_tables":[],"by_name":{"aB":{"seat_count":1},"a_b":{"seats":1}}}"#, 1, 57),
        (#"{"all_tables":[{"seat_count":0.5}]}"#, 1, 30),
    ])
    func keysThatAreConvertedHaveTheirPlace(text: String, line: Int, column: Int) throws {
        let snake = GroupCodec<Guests>.json(decoder: { $0.keyDecodingStrategy = .convertFromSnakeCase })
        let custom = GroupCodec<Guests>.json(decoder: {
            $0.keyDecodingStrategy = .custom { path in
                let words = path[path.count - 1].stringValue.split(separator: "_")
                return AnyKey(words[0] + words.dropFirst().map(\.capitalized).joined())
            }
        })
        for codec in [snake, custom] {
            let bench = try Backend.memory.make()
            try bench.put(text, in: "v")
            let file = try GroupFile("v", in: bench.container, initialValue: Guests(), codec: codec)
            let error = try #require(throws: GroupFileError.self) { try file.read() }
            #expect(error.line == line && error.column == column, "\(error)")
        }
    }
}
