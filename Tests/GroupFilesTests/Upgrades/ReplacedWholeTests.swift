import Foundation
import GroupFiles
import TestSupport
import Testing

/// Where it is unknown which part of the old value corresponds to which of the new one, nothing is carried over.
struct ReplacedWholeTests {
    struct Scores: Codable, Sendable, Equatable {
        var points: [String: Int] = [:]
        var ranks: [Int: String] = [:]
    }

    @Test(arguments: Backend.allCases)
    func aKeyThatIsRemovedFromADictionaryDoesNotReturn(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"points":{"ann":1,"bob":2},"ranks":{"1":"ann","2":"bob"},"unknown":[]}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Scores())
        try file.update { scores in
            scores.points["ann"] = nil
            scores.ranks[2] = nil
        }
        #expect(try bench.text(of: "v") == #"{"points":{"bob":2},"ranks":{"1":"ann"},"unknown":[]}"# + "\n")
        try file.write(Scores(points: ["eve": 1], ranks: [:]))
        #expect(try bench.text(of: "v") == #"{"points":{"eve":1},"ranks":{},"unknown":[]}"# + "\n")
        let bare = try GroupFile("w", in: bench.container, initialValue: ["a": 1, "b": 2])
        try bare.update { $0["a"] = nil }
        #expect(try bench.text(of: "w") == #"{"b":2}"# + "\n")
        try bare.write(["c": 3])
        #expect(try bench.text(of: "w") == #"{"c":3}"# + "\n")
    }

    struct Drawing: Codable, Sendable, Equatable {
        var shape = Shape.circle(radius: 1)

        enum Shape: Codable, Sendable, Equatable {
            case circle(radius: Int)
            case square(side: Int, Int)
        }
    }

    @Test(arguments: Backend.allCases)
    func anEnumWithPayloadStaysDecodable(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"shape":{"circle":{"radius":5,"unknown":1}},"unknown":true}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Drawing())
        try file.update { $0.shape = .square(side: 3, 4) }
        #expect(try bench.text(of: "v") == #"{"shape":{"square":{"_1":4,"side":3}},"unknown":true}"# + "\n")
        #expect(try file.read() == Drawing(shape: .square(side: 3, 4)))
        try file.write(Drawing(shape: .circle(radius: 2)))
        #expect(try file.read() == Drawing(shape: .circle(radius: 2)))
        // What belongs to a case stays for as long as the case does.
        try bench.put(#"{"shape":{"circle":{"radius":5,"unknown":1}},"unknown":true}"#, in: "v")
        try file.update { $0.shape = .circle(radius: 6) }
        #expect(try bench.text(of: "v") == #"{"shape":{"circle":{"radius":6,"unknown":1}},"unknown":true}"# + "\n")
        let bare = try GroupFile("w", in: bench.container, initialValue: Drawing.Shape.circle(radius: 1))
        try bare.update { $0 = .square(side: 1, 1) }
        #expect(try bare.read() == .square(side: 1, 1))
    }

    /// Refuses to be decoded by the library's recording decoder.
    struct Shy: Codable, Sendable {
        var a = 1

        private enum CodingKeys: CodingKey { case a }
        private struct Watched: Error {}

        init() {}

        init(from decoder: any Decoder) throws {
            if "\(type(of: decoder))".contains("Recording") { throw Watched() }
            a = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .a)
        }
    }

    /// Where the library cannot find out which keys a type knows, it keeps the content that may be lost.
    @Test(arguments: Backend.directories)
    func whatMayHaveMoreThanCanBeToldIsKept(backend: Backend) throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        try bench.put(#"{"a":1,"u":2}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Shy())
        try file.update { $0.a = 3 }
        #expect(try bench.text(of: "v") == #"{"a":3}"# + "\n")
        #expect(try folder.read("c/.groupfile/v.rejected") == #"{"a":1,"u":2}"#)
        try bench.put(#"{"a":1,"w":2}"#, in: "v")
        try file.write(Shy())
        #expect(try folder.read("c/.groupfile/v.rejected.1") == #"{"a":1,"w":2}"#)
    }

    @Test(arguments: Backend.allCases)
    func ownCodecsReplaceWhole(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"theme":"dark","unknown":1,"window":{"width":1}}"#, in: "v")
        let codec = GroupCodec<UpgradeTests.Old>(
            encode: { try JSONEncoder().encode($0.theme) },
            decode: { try JSONDecoder().decode(UpgradeTests.Old.self, from: $0) })
        try GroupFile("v", in: bench.container, initialValue: UpgradeTests.Old(), codec: codec).write(
            UpgradeTests.Old())
        #expect(try bench.text(of: "v") == #""light""#)
    }
}
