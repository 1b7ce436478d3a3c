import Foundation
import TestSupport
import Testing

/// What other tests stand on.
@Suite struct ProgramTests {
    @Test func linesComeInOrderAndOnce() async throws {
        let program = try Program(.command("sh"), ["-c", "echo one; echo two; printf 'three'; echo oops >&2; exit 7"])
        #expect(try await program.line("o") == "one")
        #expect(try await program.line("t") == "two")
        #expect(try await program.line("t") == "three")
        #expect(try await program.exit() == .code(7))
        #expect(program.errors.elements == ["oops"])
        await #expect(throws: Program.Failure.self) { try await program.line("one") }
    }

    @Test func aLineInPiecesIsOneLine() async throws {
        let program = try Program(.command("sh"), ["-c", #"printf 'a\303'; printf '\274b\n\nlast\n'"#])
        #expect(try await program.exit() == .code(0))
        #expect(program.output.elements == ["aüb", "", "last"])
    }

    @Test func signalsAndInputReachIt() async throws {
        let sleeper = try Program(.command("sh"), ["-c", "echo ready; exec sleep 1000"])
        try await sleeper.line("ready")
        sleeper.signal(SIGKILL)
        #expect(try await sleeper.exit() == .signal(SIGKILL))
        let cat = try await Program.run(.command("cat"), input: "what goes in\n")
        #expect(cat.output == "what goes in")
    }

    @Test func aReleasedProgramIsKilled() async throws {
        var program: Program? = try Program(.command("sleep"), ["1000"])
        let id = try #require(program?.processIdentifier)
        program = nil
        #expect(await eventually { !FileManager.default.fileExists(atPath: "/proc/\(id)") })
    }

    @Test func manyAtATime() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<32 {
                group.addTask { try await Program.run(.command("echo"), ["\(index)"]).output }
            }
            let outputs = try await group.reduce(into: Set<String>()) { $0.insert($1) }
            #expect(outputs == Set((0..<32).map(String.init)))
        }
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func directoriesAreRemoved(place: TemporaryDirectory.Place) throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory(on: place)
        let path = try #require(directory?.path)
        try directory?.write("text", to: "file")
        #expect(try directory?.read("file") == "text")
        directory = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aDeadlineEndsAWait() async throws {
        let log = Log<Int>()
        #expect(await log.first(within: .milliseconds(20)) { _ in true } == nil)
        #expect(await !eventually(within: .milliseconds(20)) { false })
        // However much comes meanwhile.
        let program = try Program(.command("sh"), ["-c", "while echo; do sleep 0.001; done"])
        #expect(await blocking { !program.output.block(within: .milliseconds(20)) { _ in false } })
    }

    @Test func whatHasEndedIsNotWaitedFor() async throws {
        let program = try Program(.command("echo"), ["one"])
        #expect(await blocking { !program.output.block { $0.count == 2 } })
        #expect(await program.output.first { $0 == "two" } == nil)
    }
}
