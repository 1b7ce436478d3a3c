import Foundation
import TestSupport
import Testing

/// README.md tells the truth. .ci/run runs its `sh` blocks, and refuses one that it does not know.
@Suite struct ReadmeTests {
    /// The commands of a block, all in one shell, print what the block shows. The reader has no values at first.
    @Test func consoleBlocksPrintWhatTheyShow() async throws {
        let home = try TemporaryDirectory()
        let blocks = try Document.readme().blocks("console")
        let (watching, restarting) = (try index(of: Self.watch, blocks), try index(of: Self.restart, blocks))
        let ending = blocks.enumerated().filter { ![watching, watching + 1, restarting].contains($0.offset) }
        #expect(!ending.isEmpty)
        for (_, block) in ending {
            let script = block.commands.map { "printf '%s\\n' '$ \($0.replacing("'", with: "'\\''"))'\n\($0)\n" }
            let outcome = try await shell("exec 2>&1\n" + script.joined(), home)
            #expect(outcome.output.replacing(home.path, with: "/home/you") == block.text)
        }
    }

    /// The block of one terminal shows what it prints for the commands of the next block, which run in another
    /// terminal.
    @Test func watchingFollowsWhateverWrites() async throws {
        let home = try TemporaryDirectory()
        let blocks = try Document.readme().blocks("console")
        let first = try index(of: Self.watch, blocks)
        for command in blocks[first].commands.dropLast() {
            #expect(try await shell(command, home).exit == .code(0))
        }
        let expected = blocks[first].output
        let watching = try Program(.command("sh"), ["-c", "exec " + Self.watch], environment: setup(home))
        try await watching.line { $0 == expected.first }
        var coming = expected.dropFirst()
        var printed: [String] = []
        for command in blocks[first + 1].commands {
            let outcome = try await shell(command, home)
            #expect(outcome.exit == .code(0))
            printed += ["$ " + command] + outcome.output.split(separator: "\n").map(String.init)
            guard let line = coming.popFirst() else { continue }
            try await watching.line("\(line), after \(command)") { $0 == line }
        }
        #expect(watching.output.elements == expected)
        #expect(printed == blocks[first + 1].lines)
    }

    /// With a substitute for `systemctl` that prints its arguments.
    @Test func aServiceIsRestartedWhenItsPortChanges() async throws {
        _ = try index(of: Self.restart, Document.readme().blocks("console"))
        let home = try TemporaryDirectory()
        // Another process writes this file: while it is open for writing here, and so in a child of another test, it
        // cannot be run.
        try await _ = shell(#"printf '#!/bin/sh\necho "$* at $(cat)"\n' > systemctl; chmod +x systemctl"#, home)
        var port = 0
        func change() throws {
            port += 1
            try home.write("{\"title\": \"News\", \"port\": \(port)}\n", to: "conf.json")
        }
        try change()
        let watching = try Program(
            .command("sh"), ["-c", "PATH=$PWD:$PATH; exec " + Self.restart], environment: setup(home),
            directory: home.path)
        // The watcher prints nothing for the initial port, so that nothing reveals when it has begun.
        while watching.output.elements.isEmpty, port < 1000 {
            try change()
            _ = await watching.output.reach(within: .milliseconds(50)) { !$0.isEmpty }
        }
        try await watching.line { $0 == "restart radio at \(port)" }
        try change()
        try await watching.line { $0 == "restart radio at \(port)" }
    }

    /// The pages of this package link to pages and files that exist.
    @Test(arguments: [
        "", "Examples/flag-daemon/", "Examples/lucky-number/", "Examples/status-widget/", "Tests/Benchmarks/",
    ])
    func linksLeadSomewhere(folder: String) throws {
        let page = Document.root.appendingPathComponent(folder + "README.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for link in text.matches(of: /\]\(([^)]+)\)/).map({ String($0.1) }) {
            if link.hasPrefix("#") {
                let heading = link.dropFirst().replacing("-", with: " ")
                let isThere = text.split(separator: "\n").contains {
                    $0.hasPrefix("#") && $0.lowercased().hasSuffix("# " + heading)
                }
                #expect(isThere, "\(link)")
            } else {
                let file = page.deletingLastPathComponent().appendingPathComponent(link)
                #expect(FileManager.default.fileExists(atPath: file.path), "\(link)")
            }
        }
    }

    /// The commands that run until they are stopped.
    private static let watch = "watch-value luckyNumber"
    private static let restart = "watch-value ./conf.json --at .port --no-initial -- systemctl restart radio"

    private func index(of command: String, _ blocks: [Document.Block]) throws -> Int {
        try #require(blocks.firstIndex { $0.commands.last == command }, "\(command)")
    }

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
