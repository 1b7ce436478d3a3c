import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Two versions of a program, as two processes, with one value.
@Suite(.fewAtOnce, .serialized)
struct VersionTests {
    private struct Everything: Codable, Sendable {
        var count: Int
        var total: Int
        var window: [String: Int]
        var note: String?
        var history: [String: Int]
        var foreign: Double
    }

    private func everything(_ folder: TemporaryDirectory) throws -> Everything {
        try JSONDecoder().decode(Everything.self, from: Data(try folder.read("c/v").utf8))
    }

    /// Both versions update at the same time, each as fast as it can: every update of either is there in the end.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_versionsThatUpdateAlternatelyLoseNothing(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: true)
        // Written by the first version, and by nobody else.
        try folder.write(#"{"count":0,"foreign":1.50,"theme":"x","window":{"width":0}}"#, to: "c/v")
        let programs = try ["first", "second"].map {
            try Program(.product("probe"), [$0, folder.path("c"), "v", "200"])
        }
        for program in programs { #expect(try await program.exit(within: .testDeadline) == .code(0)) }
        let found = try everything(folder)
        #expect(found.count == 200)
        #expect(found.total == 200)
        #expect(found.window == ["width": 200, "height": 200])
        #expect(found.note == nil)
        #expect(found.history == ["start": 1, "r1": 199, "r2": 200])
        #expect(try folder.read("c/v").contains(#""foreign":1.50"#))
        #expect(Set(try folder.names(in: "c/.groupfile")).isSubset(of: ["v.lock", "v.turn"]))
    }

    /// The first version writes blindly, the second one updates, and a third process never sees the value without what
    /// the second one wrote.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_blindWritesOfAnOldVersionTakeNothingAway(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        try await GroupFile("v", in: container, initialValue: "{}", codec: .text).write(
            #"{"count":0,"foreign":1.50,"history":{},"theme":"x","total":1000,"window":{"height":1000,"width":0}}"#)
        let watcher = try Program(.product("probe"), ["second-watching", folder.path("c"), "v"])
        try await watcher.line("total 1000")
        let programs = try ["first-blindly", "second"].map {
            try Program(.product("probe"), [$0, folder.path("c"), "v", "200"])
        }
        for program in programs { #expect(try await program.exit(within: .testDeadline) == .code(0)) }
        let found = try everything(folder)
        #expect(found.count == 200)
        #expect(found.total == 1200)
        #expect(found.window == ["width": 200, "height": 1200])
        #expect(found.foreign == 1.5)
        try await watcher.line("total 1200 height 1200 count 200")
        var last = 1000
        for line in watcher.output.elements {
            let words = line.split(separator: " ")
            let (total, height) = (Int(words[1]) ?? 0, Int(words[3]) ?? 0)
            #expect(total == height && total >= last, "\(line)")
            last = total
        }
    }

    /// A foreign writer writes between the look and the exchange: what it added is carried over, too.
    @Test(arguments: [false, true])
    func whatAForeignWriterAddsMeanwhileStays(isUpdate: Bool) throws {
        struct Few: Codable, Sendable { var a = 1 }
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: Few(), durability: .relaxed)
        let isFirst = Guarded(true)
        SystemCallTap.tapping { call, _ in
            if call == .renameat2, isFirst.withLock({ $0 }) {
                isFirst.withLock { $0 = false }
                do {
                    try folder.write(#"{"a":7,"b":2}"#, to: "c/v")
                } catch {
                    Issue.record(error)
                }
            }
            return .none
        } during: {
            #expect(throws: Never.self) {
                if isUpdate { try file.update { $0.a = 3 } } else { try file.write(Few(a: 3)) }
            }
        }
        #expect(try folder.read("c/v") == #"{"a":3,"b":2}"# + "\n")
        #expect(file.value.a == 3)
        #expect(Set(try folder.names(in: "c/.groupfile")).isSubset(of: ["v.lock", "v.turn"]))
    }
}
