import Foundation
import GroupFiles
import TestSupport
import Testing

/// Two versions of a program share one value: keys that one version does not know stay when it writes.
struct UpgradeTests {
    struct Old: Codable, Sendable, Equatable {
        var theme = "light"
        var window = Window()
        var nickname: String?

        struct Window: Codable, Sendable, Equatable {
            var width = 800
        }
    }

    struct New: Codable, Sendable, Equatable {
        var theme = "light"
        var window = Window()
        var nickname: String?
        var fontSize = 12
        var accent: String?

        struct Window: Codable, Sendable, Equatable {
            var width = 800
            var height = 600
        }
    }

    @Test(arguments: Backend.allCases)
    func versionsThatAlternateLoseNothing(backend: Backend) throws {
        let bench = try backend.make()
        let new = try GroupFile("v", in: bench.container, initialValue: New())
        try new.write(
            New(theme: "dark", window: .init(width: 1, height: 2), nickname: "x", fontSize: 9, accent: "red"))
        let old = try GroupFile("v", in: bench.container, initialValue: Old())
        for round in 0..<20 {
            if round.isMultiple(of: 2) {
                try old.update { $0.window.width = round }
            } else {
                try old.write(Old(theme: "t\(round)", window: .init(width: round), nickname: "x"))
            }
            #expect(new.value.window == .init(width: round, height: 2 + round))
            #expect(new.value.fontSize == 9 + round)
            #expect(new.value.accent == "red")
            try new.update { value in
                value.window.height += 1
                value.fontSize += 1
            }
            #expect(old.value.window.width == round)
            #expect(old.status == .current)
        }
    }

    @Test(arguments: Backend.allCases)
    func asynchronousTwinsLoseNothingEither(backend: Backend) async throws {
        let bench = try backend.make()
        let new = try GroupFile("v", in: bench.container, initialValue: New(fontSize: 9, accent: "red"))
        let old = try GroupFile("v", in: bench.container, initialValue: Old())
        try await old.write(Old(theme: "a"))
        #expect(new.value == New(theme: "a", fontSize: 9, accent: "red"))
        try await old.update { $0.theme = "b" }
        #expect(new.value == New(theme: "b", fontSize: 9, accent: "red"))
        try await old.update { value async throws -> Void in
            await Task.yield()
            value.theme = "c"
        }
        #expect(new.value == New(theme: "c", fontSize: 9, accent: "red"))
    }

    @Test(arguments: Backend.allCases)
    func whatIsNotKnownStaysAsWritten(backend: Backend) throws {
        let bench = try backend.make()
        let unknown = #""serial": 12345678901234567890.10e+2, "\u0061ccent" : {"b" : [1, {"z":"\u00e9\/"}],"a":null}"#
        try bench.put("{ \"theme\":\"dark\",\(unknown),\"window\":{ \"width\":1,\"zoom\":1.50 } }", in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Old())
        try file.update { $0.theme = "blue" }
        let expected =
            #"{"\u0061ccent" : {"b" : [1, {"z":"\u00e9\/"}],"a":null},"serial": 12345678901234567890.10e+2,"#
            + #""theme":"blue","window":{"width":1,"zoom":1.50}}"# + "\n"
        #expect(try bench.text(of: "v") == expected)
        // An update that changes nothing writes nothing; a write of an equal value writes the same text again.
        try file.update { _ in }
        try file.write(Old(theme: "blue", window: .init(width: 1)))
        #expect(try bench.text(of: "v") == expected)
        #expect(try file.read() == Old(theme: "blue", window: .init(width: 1)))
    }

    @Test(arguments: Backend.allCases)
    func anOptionalThatIsSetToNilDoesNotComeBack(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"nickname":"x","theme":"dark","unknown":1,"window":{"width":1}}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Old(nickname: "initial"))
        try file.update { $0.nickname = nil }
        #expect(try bench.text(of: "v") == #"{"theme":"dark","unknown":1,"window":{"width":1}}"# + "\n")
        #expect(try file.read().nickname == nil)
        try bench.put(#"{"nickname":"y","theme":"dark","unknown":1,"window":{"width":1}}"#, in: "v")
        try file.write(Old(theme: "dark", window: .init(width: 1)))
        #expect(try bench.text(of: "v") == #"{"theme":"dark","unknown":1,"window":{"width":1}}"# + "\n")
    }

    /// G12: content that does not decode is kept as a whole, and nothing of it gets into the value that replaces it.
    @Test(arguments: Backend.allCases)
    func G12_ofWhatDoesNotDecodeNothingIsCarriedOver(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Old())
        let bad = #"{"theme":7,"unknown":1,"window":{"width":1}}"#
        try bench.put(bad, in: "v")
        try file.write(Old())
        #expect(try bench.text(of: "v") == #"{"theme":"light","window":{"width":800}}"# + "\n")
        if let folder = bench.folder { #expect(try folder.read("c/.groupfile/v.rejected") == bad) }
    }

    /// G12: content of an older version is a value.
    @Test(arguments: Backend.directories)
    func G12_contentOfAnotherVersionIsNotKept(backend: Backend) throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        let file = try GroupFile("v", in: bench.container, initialValue: New())
        try bench.put(#"{"theme":"dark","window":{"width":1}}"#, in: "v")
        try file.write(New())
        try bench.put(#"{"theme":"dark","window":{"width":1},"unknown":1}"#, in: "v")
        try file.update { $0.fontSize = 1 }
        #expect(!FileManager.default.fileExists(atPath: folder.path("c/.groupfile/v.rejected")))
    }

    @Test(arguments: Backend.allCases)
    func whatIsCarriedOverCountsForTheSize(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"theme":"dark","unknown":"0123456789","window":{"width":1}}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Old(), maximumSize: 64)
        #expect { try file.update { $0.theme = "0123456789" } } throws: { ($0 as? GroupFileError)?.code == .tooLarge }
        #expect { try file.write(Old(theme: "0123456789")) } throws: { ($0 as? GroupFileError)?.code == .tooLarge }
        #expect(try bench.text(of: "v") == #"{"theme":"dark","unknown":"0123456789","window":{"width":1}}"#)
    }

    /// Through every API that writes a value.
    @Test(arguments: Backend.allCases)
    func optionalFilesAndWrappersCarryOverToo(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"theme":"dark","unknown":1,"window":{"width":1}}"#, in: "v")
        try bench.container.file(named: "v", as: Old.self).write(Old(theme: "a", window: .init(width: 1)))
        #expect(try bench.text(of: "v") == #"{"theme":"a","unknown":1,"window":{"width":1}}"# + "\n")
        @GroupValue("v", in: bench.container) var wrapped = Old()
        wrapped.theme = "b"
        #expect(try bench.text(of: "v") == #"{"theme":"b","unknown":1,"window":{"width":1}}"# + "\n")
    }

    /// After a removal all keys are gone, known or not.
    @Test(arguments: Backend.allCases)
    func nothingOutlivesARemoval(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"theme":"dark","unknown":1,"window":{"width":1}}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Old())
        try file.remove()
        try file.write(Old())
        #expect(try bench.text(of: "v") == #"{"theme":"light","window":{"width":800}}"# + "\n")
    }
}
