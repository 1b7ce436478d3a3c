import Foundation
import PlainJSON
import TestSupport
import Testing

@testable import GroupFiles

/// Text that is not quite JSON: `JSONDecoder` skips a fault in a member that it is not asked for, and that member would
/// be lost when the file is written over.
struct StrictJSONTests {
    struct Lamp: Codable, Sendable, Equatable {
        var a = 0
    }

    /// Members that `Lamp` does not ask for, and the column where each is no JSON.
    static let faults: [(member: String, column: Int)] = [
        (#""x":2,"#, 14), (#""x":[1,]"#, 15), (#""x":01"#, 13), (#""x":1."#, 14), (#""x":1e"#, 14),
        (#""x":--1"#, 13), (#""x":+1"#, 12), (#""x":1.2.3"#, 15), (#""x":"\ud800""#, 13), (#""x":"\q""#, 14),
        ("\"x\":\"a\tb\"", 14), ("\"x\":\"a\u{0}b\"", 14), (#""x":trux"#, 12), (#"/*c*/"x":2"#, 8),
        (#"'x':2"#, 8), (#"x:2"#, 8), (#""x":NaN"#, 12), ("\"x\":[1,\u{B}2]", 15), (#""x":"a"#, 15),
    ]

    static let texts: [(text: [UInt8], column: Int)] = {
        var texts = faults.map { (text: Array("{\"a\":1,\($0.member)}".utf8), column: $0.column) }
        func add(_ start: String, _ bytes: [UInt8], _ end: String, column: Int) {
            texts.append((Array(start.utf8) + bytes + Array(end.utf8), column))
        }
        add(#"{"a":1,"x":"Jos"#, [0xE9], #""}"#, column: 16)
        add(#"{"a":1,"x"#, [0xE9], #"":1}"#, column: 10)
        add(#"{"a":1,"x":""#, [0xED, 0xA0, 0x80], #""}"#, column: 13)
        add(#"{"a":1}"#, [0], "", column: 8)
        add(#"{"a":1} "#, [0x78], "", column: 9)
        // Not another encoding, which would have a zero among the first two bytes.
        add("\"a", [0], "\"", column: 3)
        add("{\"a", [0], "\":1}", column: 4)
        return texts
    }()

    @Test(arguments: texts, [Backend.disk, .tmpfs, .memory])
    func G12_whatIsNotStrictlyJSONIsInvalidAndKept(_ fault: (text: [UInt8], column: Int), backend: Backend) throws {
        let bench = try backend.make()
        let raw = try GroupFile("v", in: bench.container, initialValue: Data(fault.text), codec: .data)
        let file = try GroupFile("v", in: bench.container, initialValue: Lamp())
        guard case .invalid(let error) = file.status else {
            Issue.record("\(file.status)")
            return
        }
        #expect(error.code == .undecodable && error.line == 1 && error.column == fault.column, "\(error)")
        #expect(throws: GroupFileError.self) { try file.update { $0.a += 1 } }
        #expect(try raw.read() == Data(fault.text))
        try file.write(Lamp(a: 2))
        #expect(try raw.read() == Data("{\"a\":2}\n".utf8))
        if let folder = bench.folder {
            #expect(try Data(contentsOf: URL(filePath: folder.path("c/.groupfile/v.rejected"))) == Data(fault.text))
        }
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ])
    func otherEncodingsAreTold(encoding: String.Encoding) throws {
        for text in [#"{"a":1}"#, "7", #""é""#, " []"] {
            let bytes = try #require(text.data(using: encoding))
            #expect(throws: JSONContent.NotUTF8.self) { try GroupCodec<Lamp>.json.decode(bytes) }
        }
    }

    /// Configured codecs, for dates say, are no less strict.
    @Test(arguments: texts) func neitherWayDecodesIt(_ fault: (text: [UInt8], column: Int)) {
        #expect(throws: NotPlain.self) { try GroupCodec<Lamp>.json.plain?.decode(fault.text) }
        for codec in [GroupCodec<Lamp>.json, .json(decoder: { $0.dateDecodingStrategy = .iso8601 })] {
            #expect(throws: (any Error).self) { try codec.decode(Data(fault.text)) }
        }
    }

    @Test(arguments: [
        #"{"a":1,"x":["\ud83d\ude00\u00e9é😀\/",-0,1.5E+2,1e999,{}]}"#, "\u{FEFF} {\"a\":1,\r\n\t\"a\":\"twice\"} ",
        #"{"a":1,"x":"# + String(repeating: "[", count: 511) + String(repeating: "]", count: 511) + "}",
    ])
    func whatIsJSONIsDecoded(text: String) throws {
        #expect(try GroupCodec<Lamp>.json.decode(Data(text.utf8)) == Lamp(a: 1))
    }

    /// A decoder that is configured to accept more than JSON does so; the library writes JSON, and keeps the rest.
    @Test(arguments: [Backend.disk, .tmpfs], [false, true])
    func G12_ofWhatIsJSON5NothingIsLost(backend: Backend, isUpdate: Bool) throws {
        let bench = try backend.make()
        let five = "{a:1, /* a:1, */ x:2,}"
        try bench.put(five, in: "v")
        let codec = GroupCodec<Lamp>.json(decoder: { $0.allowsJSON5 = true })
        let file = try GroupFile("v", in: bench.container, initialValue: Lamp(), codec: codec)
        #expect(file.value == Lamp(a: 1))
        if isUpdate { try file.update { $0.a += 1 } } else { try file.write(Lamp(a: 2)) }
        #expect(try bench.text(of: "v") == "{\"a\":2}\n")
        #expect(try bench.folder?.read("c/.groupfile/v.rejected") == five)
        // The error tells another fault than that the text is no JSON.
        try bench.put("{a:'x'}", in: "v")
        #expect { try file.read() } throws: {
            ($0 as? GroupFileError)?.message.hasPrefix("It is a string, not of type Int") == true
        }
        try bench.put("{\n  a: 1,,\n}", in: "v")
        #expect { try file.read() } throws: { ($0 as? GroupFileError).map { $0.line == nil } == true }
        // Unknown keys in plain JSON are carried over as ever.
        try bench.put(#"{"a":1,"x":2}"#, in: "v")
        try file.update { $0.a = 3 }
        #expect(try bench.text(of: "v") == #"{"a":3,"x":2}"# + "\n")
    }

    /// Likewise with types that know all keys, and so carry nothing over.
    @Test(arguments: ["{a:1, /* b:2 */}", "{\"a\":1}"], [false, true])
    func G12_ofJSON5InADictionaryNothingIsLost(text: String, isUpdate: Bool) throws {
        let bench = try Backend.disk.make()
        try bench.put(text, in: "v")
        let codec = GroupCodec<[String: Int]>.json(decoder: { $0.allowsJSON5 = true })
        let file = try GroupFile("v", in: bench.container, initialValue: [:], codec: codec)
        #expect(file.value == ["a": 1])
        if isUpdate { try file.update { $0["a"] = 2 } } else { try file.write(["a": 2]) }
        #expect(try bench.text(of: "v") == "{\"a\":2}\n")
        let kept = bench.folder.map { FileManager.default.fileExists(atPath: $0.path("c/.groupfile/v.rejected")) }
        #expect(kept == text.contains("/*"))
        try file.write(["a": 3])
        let again = bench.folder.map { FileManager.default.fileExists(atPath: $0.path("c/.groupfile/v.rejected.1")) }
        #expect(again == false)
    }

    /// Content that a killed writer had displaced, and not yet judged.
    @Test(arguments: ["{a:1, /* b:2 */}", "{\"a\":1}"])
    func G12_ofJSON5ThatAKilledWriterDisplacedNothingIsLost(text: String) throws {
        let bench = try Backend.disk.make()
        let codec = GroupCodec<[String: Int]>.json(decoder: { $0.allowsJSON5 = true })
        let file = try GroupFile("v", in: bench.container, initialValue: [:], codec: codec)
        try file.write(["a": 2])
        let folder = try #require(bench.folder)
        try folder.write("another.tmp\n", to: "c/.groupfile/v.lock")
        try folder.write(text, to: "c/.groupfile/another.tmp")
        try file.write(["a": 3])
        #expect(!FileManager.default.fileExists(atPath: folder.path("c/.groupfile/another.tmp")))
        let isKept = FileManager.default.fileExists(atPath: folder.path("c/.groupfile/v.rejected"))
        #expect(isKept == text.contains("/*"))
    }

    @Test func G12_ofWhatLacksItsBracesNothingIsLost() throws {
        let bench = try Backend.disk.make()
        try bench.put(#""a":1,"x":2"#, in: "v")
        let codec = GroupCodec<Lamp>.json(decoder: { $0.assumesTopLevelDictionary = true })
        let file = try GroupFile("v", in: bench.container, initialValue: Lamp(), codec: codec)
        #expect(file.value == Lamp(a: 1))
        try file.update { $0.a += 1 }
        #expect(try bench.folder?.read("c/.groupfile/v.rejected") == #""a":1,"x":2"#)
    }
}
