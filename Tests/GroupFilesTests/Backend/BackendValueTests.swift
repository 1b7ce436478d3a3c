import Foundation
import GroupFiles
import TestSupport
import Testing

/// Values, one after the other: the behaviour that all backends share.
struct BackendValueTests {
    @Test(arguments: Backend.allCases)
    func aValueIsMadeWithItsInitialValue(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 3)
        #expect(file.value == 3)
        #expect(file.status == .current)
        #expect(try file.read() == 3)
        #expect(try bench.container.currentNames() == ["v"])
        switch (backend, file.health) {
        case (.polling, .polling), (.disk, .live), (.tmpfs, .live), (.memory, .live): break
        default: Issue.record("\(file.health)")
        }
    }

    @Test(arguments: Backend.allCases)
    func whatIsThereAlreadyStays(backend: Backend) throws {
        let bench = try backend.make()
        try GroupFile("v", in: bench.container, initialValue: 1).write(2)
        let file = try GroupFile("v", in: bench.container, initialValue: 1)
        #expect(file.value == 2)
        #expect(file.status == .current)
    }

    @Test(arguments: Backend.allCases)
    func writeIsSeenAtOnceByEverybodyInTheProcess(backend: Backend) throws {
        let bench = try backend.make()
        let writer = try GroupFile("v", in: bench.container, initialValue: 0)
        let reader = try GroupFile("v", in: bench.container, initialValue: 0)
        for number in 1...100 {
            try writer.write(number)
            #expect(writer.value == number)
            #expect(reader.value == number)
            #expect(try reader.read() == number)
        }
    }

    /// Different values may have the same bytes.
    private struct Draft: Codable, Equatable, Sendable {
        enum CodingKeys: CodingKey { case text }
        var text: String
        var isSelected = false
    }

    @Test(arguments: Backend.allCases)
    func G3_whatWasWrittenIsTheValueThoughItsBytesWereThere(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Draft(text: ""))
        let told = Log<Draft>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        // Local functions are synchronous, and so is what they call.
        func write(_ draft: Draft) throws { try file.write(draft) }
        func select() throws { try file.update { $0.isSelected = true } }
        try write(Draft(text: "a", isSelected: true))
        #expect(file.value == Draft(text: "a", isSelected: true))
        try write(Draft(text: "a"))
        #expect(file.value == Draft(text: "a"))
        try select()
        #expect(file.value == Draft(text: "a", isSelected: true))
        try await file.update { $0.isSelected = false }
        #expect(file.value == Draft(text: "a"))
        #expect(file.status == .current)
        // Equal bytes are reported to nobody again.
        try write(Draft(text: "b"))
        try #require(await told.first { $0.text == "b" } != nil)
        #expect(told.elements.count { $0.text == "a" } <= 1)
    }

    @Test(arguments: Backend.allCases)
    func updateReturnsWhatItsBodyReturns(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: ["a"])
        let count = try file.update { list in
            list.append("b")
            return list.count
        }
        #expect(count == 2)
        #expect(file.value == ["a", "b"])
    }

    /// The way to ask for no cap.
    @Test(arguments: Backend.allCases)
    func anyCapWillDo(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: "one", maximumSize: .max)
        try await file.write("two")
        #expect(try await file.read() == "two")
        try bench.put("\"three\"", in: "v")
        #expect(try await file.first(timeout: .testDeadline) { $0 == "three" } == "three")
        try await file.update { $0 += " and more" }
        #expect(try await file.read() == "three and more")
    }

    struct Refused: Error, Equatable {}

    @Test(arguments: Backend.allCases)
    func whatTheBodyThrowsPassesAndNothingIsWritten(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 1)
        try refuseSynchronously(file)
        await #expect(throws: Refused()) {
            try await file.update { value async throws -> Void in
                value = 2
                throw Refused()
            }
        }
        #expect(file.value == 1)
        #expect(try await file.read() == 1)
        try await file.update { $0 = 3 }
        #expect(file.value == 3)
    }

    private func refuseSynchronously(_ file: GroupFile<Int>) throws {
        #expect(throws: Refused()) {
            try file.update { value throws -> Void in
                value = 2
                throw Refused()
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func asynchronousTwinsDoTheSame(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 1)
        try await file.write(2)
        #expect(try await file.read() == 2)
        let doubled = try await file.update { value async throws -> Int in
            await Task.yield()
            value += 1
            return value * 2
        }
        #expect(doubled == 6)
        #expect(file.value == 3)
        try await file.remove()
        #expect(file.value == 1)
        #expect(file.status == .missing)
    }

    @Test(arguments: Backend.allCases)
    func removeMakesItMissingUntilSomebodyWrites(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 1)
        let other = try GroupFile("v", in: bench.container, initialValue: 7)
        try file.write(2)
        try file.remove()
        try file.remove()
        #expect(file.value == 1)
        #expect(file.status == .missing)
        #expect(other.value == 7)
        #expect(other.status == .missing)
        #expect(try file.read() == 1)
        #expect(try bench.container.currentNames() == [])
        try file.update { $0 += 1 }
        #expect(other.value == 2)
        #expect(other.status == .current)
    }

    @Test(arguments: Backend.allCases)
    func readOnlyMakesAndChangesNothing(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 4, access: .readOnly)
        #expect(file.value == 4)
        #expect(file.status == .missing)
        #expect(try file.read() == 4)
        #expect(try bench.container.currentNames() == [])
        for change in [{ try file.write(5) }, { try file.update { $0 = 5 } }, { try file.remove() }] {
            #expect { try change() } throws: { ($0 as? GroupFileError)?.code == .readOnly }
        }
        #expect(try bench.container.currentNames() == [])
        try GroupFile("v", in: bench.container, initialValue: 0).write(6)
        #expect(file.value == 6)
    }

    @Test(arguments: Backend.allCases)
    func aNestedUpdateThrowsAtOnce(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 1)
        let same = try GroupFile("v", in: bench.container, initialValue: 1)
        let other = try GroupFile("w", in: bench.container, initialValue: 1)
        try file.update { value throws -> Void in
            #expect { try same.update { $0 = 9 } } throws: { ($0 as? GroupFileError)?.code == .nested }
            #expect { try same.write(9) } throws: { ($0 as? GroupFileError)?.code == .nested }
            #expect { try same.remove() } throws: { ($0 as? GroupFileError)?.code == .nested }
            try other.update { $0 += 1 }
            value = 2
        }
        #expect(file.value == 2)
        #expect(other.value == 2)
        try same.update { $0 += 1 }
        #expect(file.value == 3)
    }

    @Test(arguments: Backend.allCases)
    func aNestedAsynchronousUpdateThrowsAtOnce(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 1)
        let same = try GroupFile("v", in: bench.container, initialValue: 1)
        try await file.update { value async throws -> Void in
            await #expect { try await same.write(9) } throws: { ($0 as? GroupFileError)?.code == .nested }
            value += 1
        }
        #expect(file.value == 2)
    }

    @Test(arguments: Backend.allCases)
    func whatDoesNotDecodeIsInvalidAndTheLastGoodValueStays(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        try file.write(5)
        try bench.put("{ no number", in: "v")
        #expect { try file.read() } throws: { ($0 as? GroupFileError)?.code == .undecodable }
        if case .invalid(let error) = file.status { #expect(error.code == .undecodable) } else { Issue.record("valid") }
        #expect(file.value == 5)
        #expect { try file.update { $0 += 1 } } throws: { ($0 as? GroupFileError)?.code == .undecodable }
        let raw = try GroupFile("v", in: bench.container, initialValue: Data(), codec: .data)
        #expect(raw.value == Data("{ no number".utf8))
        try file.write(6)
        #expect(file.value == 6)
        #expect(file.status == .current)
        if let folder = bench.folder { #expect(try folder.read("c/.groupfile/v.rejected") == "{ no number") }
    }

    @Test(arguments: Backend.allCases)
    func aValueThatIsTooLargeIsRefused(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: "", maximumSize: 10)
        #expect { try file.write("0123456789") } throws: { ($0 as? GroupFileError)?.code == .tooLarge }
        #expect(file.value == "")
        try file.write("0123456")
        #expect(file.value == "0123456")
        let large = try GroupFile("v", in: bench.container, initialValue: "", maximumSize: 100)
        try large.write("01234567890")
        #expect { try file.read() } throws: { ($0 as? GroupFileError)?.code == .tooLarge }
        #expect(file.value == "0123456")
        #expect(large.value == "01234567890")
    }

    @Test(arguments: Backend.allCases)
    func theLongestNameIsOne(backend: Backend) throws {
        let bench = try backend.make()
        let longest = String(repeating: "x", count: 200)
        try GroupFile(longest, in: bench.container, initialValue: 0).write(1)
        #expect(try bench.container.currentNames() == [longest])
    }

    @Test(arguments: Backend.allCases)
    func namesAreComparedByteByByte(backend: Backend) throws {
        let bench = try backend.make()
        let letter = try GroupFile("caf\u{E9}", in: bench.container, initialValue: 1)
        let accent = try GroupFile("cafe\u{301}", in: bench.container, initialValue: 2)
        #expect(letter.value == 1)
        #expect(accent.value == 2)
        try accent.write(3)
        #expect(letter.value == 1)
        #expect(try bench.container.currentNames().count == 2)
    }
}
