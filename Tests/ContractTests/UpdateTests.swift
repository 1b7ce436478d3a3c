import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

@Suite(.fewAtOnce, .serialized)
struct UpdateTests {
    /// G5: 8 processes update 1,000 times each: exactly 8,000.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_noUpdateOfEightProcessesIsLost(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let programs = try (0..<8).map { _ in
            try Program(.product("probe"), ["count", folder.path("c"), "n", "1000"])
        }
        for program in programs { try await program.line("done", within: .testDeadline) }
        #expect(try folder.read("c/n") == "8000\n")
        // Each number was made once.
        let made = programs.flatMap { $0.output.elements.filter { $0.hasPrefix("made") } }
        #expect(Set(made).count == 8000)
    }

    /// G5, G6: what was acknowledged is in the result, however many updaters were killed on the way.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_noAcknowledgedUpdateIsLostWhileUpdatersAreKilled(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        var acknowledged = 0
        var started = 0
        for round in 0..<12 {
            let programs = try (0..<4).map { _ in
                try Program(.product("probe"), ["count", folder.path("c"), "n", "100000"])
            }
            for (index, program) in programs.enumerated() {
                // The program is killed after it has made some updates, wherever it happens to be.
                _ = await program.output.reach { $0.count > 5 + (round * 7 + index * 3) % 20 }
                program.signal(SIGKILL)
            }
            for program in programs {
                #expect(try await program.exit() == .signal(SIGKILL))
                let count = program.output.elements.filter { $0.hasPrefix("made") }.count
                acknowledged += count
                started += count + 1
            }
        }
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("n", in: container, initialValue: 0)
        #expect(acknowledged...started ~= file.value, "\(acknowledged) ≤ \(file.value) ≤ \(started)")
        // The lock is free, and at most the last temporary file is left; the next writer removes it.
        try await file.update { $0 += 1 }
        #expect(Set(try folder.names(in: "c/.groupfile")).isSubset(of: ["n.lock", "n.turn"]))
    }

    @Test func G5_aBlindWriteNeverVanishesInAnUpdate() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: [0, 0], durability: .relaxed)
        let writer = try GroupFile("v", in: container, initialValue: [0, 0], durability: .relaxed)
        // One side counts in updates, the other one replaces everything: the count must restart from the replacement.
        let writes = 200
        async let counting: Void = {
            for _ in 0..<1000 { try await file.update { $0[1] += 1 } }
        }()
        for index in 1...writes {
            #expect(try await file.read()[0] == index - 1)
            try await writer.write([index, 0])
        }
        try await counting
        #expect(file.value[0] == writes)
    }

    @Test func G5_aNestedUpdateIsRefusedAtOnce() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        let alias = try GroupFile("v", in: container, initialValue: "", codec: .text)
        func code(_ body: () throws -> Void) -> GroupFileError.Code? {
            do {
                try body()
                return nil
            } catch {
                return (error as? GroupFileError)?.code
            }
        }
        func nestedly() throws {
            try file.update { value in
                let codes = [
                    code { try file.update { $0 += 1 } }, code { try alias.write("7") }, code { try file.remove() },
                ]
                #expect(codes == [.nested, .nested, .nested])
                value = 5
            }
        }
        try nestedly()
        #expect(file.value == 5)
        try await file.update { value in
            do {
                try await file.update { $0 += 1 }
                Issue.record("a nested update went through")
            } catch let error as GroupFileError {
                #expect(error.code == .nested)
            }
            value = 6
        }
        #expect(file.value == 6)
    }

    @Test func G5_aBodyThatThrowsChangesNothing() throws {
        struct Refusal: Error {}
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        #expect(throws: Refusal.self) {
            try file.update { value in
                value = 2
                throw Refusal()
            }
        }
        #expect(file.value == 1)
        #expect(try folder.read("c/v") == "1\n")
        try file.update { $0 = 3 }
        #expect(file.value == 3)
    }

    /// G12: an update that changes nothing leaves the file as somebody has formatted it by hand.
    @Test func G12_anUpdateThatChangesNothingLeavesTheFileAsItIs() throws {
        struct Settings: Codable, Sendable {
            var theme = "dark"
            var size = 5
        }
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: Settings())
        let text = "{\n  \"theme\": \"light\", \"size\": 7,\n  \"ours\": [1.50]\n}\n"
        try folder.write(text, to: "c/v")
        let before = try Path.linkStatus(of: folder.path("c/v"))
        try file.update { settings in
            if settings.size > 9 { settings.size = 9 }
        }
        #expect(try folder.read("c/v") == text)
        #expect(try Path.linkStatus(of: folder.path("c/v")).fingerprint == before.fingerprint)
        #expect(file.value.size == 7)
        try file.update { $0.size += 1 }
        let written = try folder.read("c/v")
        #expect(written == "{\"ours\": [1.50],\"size\":8,\"theme\":\"light\"}\n")
    }

    /// G12: the same where the texts merely have the same length.
    @Test(arguments: ["{\"size\":7,\"theme\":\"light\"} ", "{\"size\": 7,\"theme\":\"light\"}"])
    func G12_anUpdateThatChangesNothingLeavesEquallyLongTextAsItIs(text: String) throws {
        struct Settings: Codable, Sendable {
            var size = 5
            var theme = "dark"
        }
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: Settings())
        try file.write(Settings(size: 7, theme: "light"))
        #expect(try folder.read("c/v").utf8.count == text.utf8.count)
        try folder.write(text, to: "c/v")
        try file.update { _ in }
        #expect(try folder.read("c/v") == text)
    }

    /// G12: what a program that takes no lock puts there during an update that changes nothing stays, whether the
    /// library has seen it or not.
    @Test(arguments: [false, true])
    func G12_anUpdateThatChangesNothingLeavesWhatComesMeanwhile(isSeen: Bool) async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        try await file.update { _ in
            try await folder.shell("echo 7 > c/new; mv c/new c/v")
            if isSeen { #expect(await eventually { file.value == 7 }) }
        }
        #expect(try folder.read("c/v") == "7\n")
        #expect(await eventually { file.value == 7 })
    }

    /// What another program wrote may decode and still not be encodable: an update may replace it.
    @Test func anOldValueNeedNotBeEncoded() throws {
        enum Mode: Codable, Equatable {
            case off, unknown

            init(from decoder: any Decoder) throws {
                self = try decoder.singleValueContainer().decode(String.self) == "off" ? .off : .unknown
            }

            func encode(to encoder: any Encoder) throws {
                if self == .unknown { throw CancellationError() }
                var container = encoder.singleValueContainer()
                try container.encode("off")
            }
        }
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: Mode.off)
        // As long as the new text, and longer by white space.
        try folder.write("  \"on?\"\n", to: "c/v")
        try file.update { $0 = .off }
        #expect(try folder.read("c/v") == "\"off\"\n")
    }

    @Test func G5_theErrorNamesTheHolderOfTheLock() async throws {
        let folder = try TemporaryDirectory()
        let holder = try Program(.product("probe"), ["hold", folder.path("c"), "v"])
        try await holder.line("holding")
        let container = try GroupContainer(directory: folder.path("c"))
        // A task that is cancelled while it waits gets CancellationError, and its write never happens. A waiter marks
        // the lock by the size of the file.
        let patient = try GroupFile("v", in: container, initialValue: 0)
        let task = Task { try await patient.write(9) }
        let lock = folder.path("c/.groupfile/v.lock")
        #expect(try await eventually { try Path.linkStatus(of: lock).size >= 1024 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .milliseconds(50))
        let start = Moment.now
        do {
            try await file.write(1)
            Issue.record("the lock was held")
        } catch let error as GroupFileError {
            #expect(error.code == .timedOut)
            #expect(error.message.contains("\(holder.processIdentifier)"), "\(error)")
            #expect(error.message.contains("probe"), "\(error)")
        }
        #expect(Moment.now - start >= .milliseconds(50))
        holder.signal(SIGKILL)
        try await holder.exit()
        try await patient.write(2)
        #expect(try folder.read("c/v") == "2\n")
    }

    @Test func G5_theCallersIsolationIsKept() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let counter = try Counter(container)
        for _ in 0..<20 { try await counter.count() }
        #expect(await counter.seen == Array(1...20))
    }

    actor Counter {
        let file: GroupFile<Int>
        var seen: [Int] = []

        init(_ container: GroupContainer) throws {
            file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        }

        func count() async throws {
            try await file.update { value in
                value += 1
                seen.append(value)
            }
        }
    }
}
