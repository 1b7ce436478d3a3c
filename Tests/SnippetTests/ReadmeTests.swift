import Foundation
import TestSupport
import Testing

/// What README.md says is what happens. Its `sh` blocks are run by .ci/run, which refuses one that it does not know.
@Suite struct ReadmeTests {
    /// Commands and what they print, all in one shell, where the reader has no values yet.
    @Test func consoleBlocksPrintWhatTheyShow() async throws {
        let home = try TemporaryDirectory()
        let blocks = try Document.readme().blocks("console")
        #expect(!blocks.isEmpty)
        for block in blocks.prefix(while: { !follows($0) }) {
            let script = block.commands.map { "printf '%s\\n' '$ \($0.replacing("'", with: "'\\''"))'\n\($0)\n" }
            let outcome = try await shell("exec 2>&1\n" + script.joined(), home)
            #expect(outcome.output.replacing(home.path, with: "/home/you") == block.text)
        }
    }

    /// The block of one terminal shows what the commands of the next one, another terminal, make of the value.
    @Test func watchingFollowsWhateverWrites() async throws {
        let home = try TemporaryDirectory()
        let blocks = try Document.readme().blocks("console")
        let first = try #require(blocks.firstIndex(where: follows))
        let expected = blocks[first].lines.dropFirst()
        try await _ = shell("watch-value set luckyNumber \(try #require(expected.first))", home)
        let watching = try Program(
            .command("sh"), ["-c", "exec " + blocks[first].commands[0]], environment: setup(home))
        try await watching.line { $0 == expected.first }
        for (command, line) in zip(blocks[first + 1].commands, expected.dropFirst()) {
            #expect(try await shell(command, home).exit == .code(0))
            try await watching.line("\(line), after \(command)") { $0 == line }
        }
        #expect(watching.output.elements == Array(expected))
    }

    private func follows(_ block: Document.Block) -> Bool { block.commands == ["watch-value luckyNumber"] }

    private func setup(_ home: TemporaryDirectory) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return [
            "HOME": home.path, "GROUP_CONTAINERS": "", "XDG_DATA_HOME": "",
            "WATCH_VALUE_GROUP": "group.com.example.radio", "PATH": Program.productsDirectory.path + ":" + path,
        ]
    }

    private func shell(_ script: String, _ home: TemporaryDirectory) async throws -> Program.Outcome {
        try await Program.run(.command("sh"), ["-c", script], environment: setup(home), directory: home.path)
    }
}
