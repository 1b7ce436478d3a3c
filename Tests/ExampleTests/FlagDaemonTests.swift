import Foundation
import TestSupport
import Testing

/// A daemon, started and ended as a service is; its operator edits its flags meanwhile.
@Suite struct FlagDaemonTests {
    private static let group = "group.example.flag-daemon"
    private static let file = "containers/\(group)/flags"

    struct Edit: CustomTestStringConvertible {
        let testDescription: String
        /// Turns `beta` on, in the container's directory.
        let command: String
        var needs = "sh"
    }

    /// As operators do it.
    static let edits = [
        Edit(
            testDescription: "vim, by rename",
            command: "vim -es -u NONE -c 'set backup backupcopy=no' -c '%s/false/true/' -c 'wq' flags", needs: "vim"),
        Edit(
            testDescription: "vim, in place",
            command: "vim -es -u NONE -c 'set backupcopy=yes' -c '%s/false/true/' -c 'wq' flags", needs: "vim"),
        Edit(testDescription: "sed -i", command: "sed -i 's/false/true/' flags"),
        Edit(testDescription: "echo", command: "echo '{\"beta\": true}' > flags"),
        Edit(testDescription: "mv", command: "echo '{\"beta\": true}' > .new && mv .new flags"),
        Edit(
            testDescription: "watch-value update", command: "watch-value update flags -- sed 's/false/true/'"),
    ]

    @Test(arguments: edits, TemporaryDirectory.Place.allCases)
    func itFollowsItsOperator(edit: Edit, place: TemporaryDirectory.Place) async throws {
        let stage = try Stage(on: place)
        guard try await stage.shell("command -v \(edit.needs)", group: Self.group).exit == .code(0) else {
            print("skipped, there is no \(edit.needs): \(edit.testDescription)")
            return
        }
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        #expect(try stage.directory.read(Self.file) == "{}\n")
        try await write("{\"beta\":false}", stage)
        try await daemon.line { $0 == "beta: off" }
        let outcome = try await stage.shell("cd containers/\(Self.group) && \(edit.command)", group: Self.group)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
        try await daemon.line { $0 == "beta: on" }
        #expect(try await status(stage) { $0.flags == ["beta": true] }.pid == daemon.processIdentifier)

        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == .code(0))
        #expect(daemon.output.elements.last == "stopped")
        #expect(try await self.status(stage).state == "stopped")
        #expect(try await self.status(stage).pid == nil)
        #expect(try stage.directory.read(Self.file).contains("true"))
    }

    @Test func killedItGoesOnWhereItWas() async throws {
        let stage = try Stage()
        let first = try stage.start("flag-daemon")
        try await first.line("running")
        try await write("{\"beta\":true,\"dark\":false}", stage)
        _ = try await status(stage) { $0.applied == 1 }
        first.signal(SIGKILL)
        #expect(try await first.exit() == .signal(SIGKILL))
        #expect(try await status(stage).state == "running", "nobody could say otherwise")

        // Edited while nobody was there, and badly.
        try stage.directory.write("{\"beta\":maybe}", to: Self.file)
        let second = try stage.start("flag-daemon")
        try await second.line { $0 == "running with beta on, dark off" }
        #expect(await second.errors.first { $0.contains("/flags:1:9: ") } != nil)
        let status = try await status(stage) { $0.rejected == 1 }
        #expect(status.pid == second.processIdentifier)
        #expect(status.starts == 2 && status.applied == 1 && status.flags == ["beta": true, "dark": false])
        try stage.directory.write("{\"beta\":false}", to: Self.file)
        try await second.line { $0 == "beta: off" }
        try await second.line { $0 == "dark: gone" }
    }

    @Test func aBadEditIsOneLineAndTheLastGoodFlagsStay() async throws {
        let stage = try Stage()
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        try await write("{\"beta\":true}", stage)
        try await daemon.line { $0 == "beta: on" }
        try stage.replace("flags", of: Self.group, with: "{\"beta\":")
        #expect(await daemon.errors.wait { $0.isEmpty ? nil : true } != nil)
        #expect(daemon.errors.elements.first?.contains("/flags:1:9: ") == true)
        #expect(daemon.errors.elements.first?.hasPrefix("flag-daemon: the flags stay as they are: ") == true)
        #expect(try await status(stage) { $0.rejected == 1 }.flags == ["beta": true])

        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == .code(0))
        #expect(try stage.directory.read(Self.file) == "{\"beta\":", "what the operator wrote is the operator's")
        #expect(daemon.output.elements == ["running", "beta: on", "stopped"])
        #expect(daemon.errors.elements.count == 1)
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func itSurvivesItsContainer(place: TemporaryDirectory.Place) async throws {
        let stage = try Stage(on: place)
        let (files, container) = (FileManager.default, stage.container(of: Self.group))
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        for _ in 1...2 {
            try await write("{\"beta\":true}", stage)
            try await daemon.line { $0 == "beta: on" }
            // In one step: a status that is missing is made again, also amid a removal.
            try files.moveItem(atPath: container, toPath: stage.directory.path("old"))
            try files.removeItem(atPath: stage.directory.path("old"))
            try await daemon.line { $0 == "beta: gone" }
            #expect(!files.fileExists(atPath: container), "it is the operator's")
            try files.createDirectory(atPath: container, withIntermediateDirectories: false)
            #expect(try await status(stage) { $0.state == "running" }.flags == [:])
        }
        // Another one in its place.
        let other = stage.directory.path("other")
        try files.createDirectory(atPath: other, withIntermediateDirectories: false)
        try stage.directory.write("{\"dark\":true}", to: "other/flags")
        try files.moveItem(atPath: container, toPath: stage.directory.path("old"))
        try files.moveItem(atPath: other, toPath: container)
        try await daemon.line { $0 == "dark: on" }
        #expect(try await status(stage) { $0.flags == ["dark": true] }.pid == daemon.processIdentifier)

        try files.moveItem(atPath: container, toPath: stage.directory.path("last"))
        try await daemon.line { $0 == "dark: gone" }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == .code(0))
        #expect(!files.fileExists(atPath: container))
        #expect(daemon.errors.elements == [])
    }

    @Test func onlyOneRuns() async throws {
        let stage = try Stage()
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        let second = try await stage.run("flag-daemon")
        #expect(second.exit == .code(75))
        #expect(second.errors == "flag-daemon: it runs already, as process \(daemon.processIdentifier)")
        #expect(try await status(stage).pid == daemon.processIdentifier)
    }

    @Test func aStatusThatIsNoneIsKept() async throws {
        let stage = try Stage()
        try FileManager.default.createDirectory(
            atPath: stage.container(of: Self.group), withIntermediateDirectories: true)
        try stage.directory.write("fine\n", to: "containers/\(Self.group)/status")
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        #expect(try await status(stage).starts == 1)
        #expect(try stage.directory.read("containers/\(Self.group)/.groupfile/status.rejected") == "fine\n")
        #expect(daemon.errors.elements.count == 1)
    }

    @Test(arguments: [["--loud"], ["--group"], ["--group", "with/slash"], ["--group", "a", "b"]])
    func aWrongCommandLineIsOneLine(arguments: [String]) async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await Program.run(
            .product("flag-daemon"), arguments, environment: ["GROUP_CONTAINERS": directory.path("containers")])
        #expect(outcome.exit == .code(64))
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("flag-daemon: ") && !outcome.errors.contains("\n"))
        #expect(!FileManager.default.fileExists(atPath: directory.path("containers")))
    }

    @Test func itsUnitIsRight() async throws {
        let stage = try Stage()
        guard try await stage.shell("command -v systemd-analyze", group: Self.group).exit == .code(0) else {
            print("skipped, there is no systemd-analyze: flag-daemon.service is not verified")
            return
        }
        let unit = try String(
            contentsOf: Readme.package.appendingPathComponent("Examples/flag-daemon/flag-daemon.service"),
            encoding: .utf8)
        let installed = "ExecStart=/usr/local/bin/flag-daemon\n"
        #expect(unit.contains(installed))
        // Where it lies here: a command that is not there is refused.
        let here = Program.productsDirectory.appendingPathComponent("flag-daemon").path
        try stage.directory.write(
            unit.replacing(installed, with: "ExecStart=\"\(here)\"\n"), to: "flag-daemon.service")
        let verification = try await stage.shell(
            "systemd-analyze --man=no verify ./flag-daemon.service", group: Self.group)
        #expect(verification.exit == .code(0))
        #expect(verification.output + verification.errors == "", "what it does not know is ignored, but told")
    }

    /// Examples/flag-daemon/README.md shows what comes, but for numbers and dates.
    @Test func itsReadmeShowsWhatComes() async throws {
        let stage = try Stage()
        let blocks = try Readme("Examples/flag-daemon/README.md").blocks("console")
        let (first, second) = (try #require(blocks.first), try #require(blocks.last))
        let daemon = try stage.startShell(first.commands[0] + " 2>&1", group: Self.group)
        try await daemon.line("running")
        // Each command, and the line of the daemon that it leads to.
        let lines = [
            "watch-value set": "beta: off", "sed -i 's/false": "beta: on", "sed -i 's/true": "flag-daemon: ",
            "kill": "stopped",
        ]
        var printed: [String] = []
        for command in second.commands {
            let outcome = try await stage.shell(command, group: Self.group)
            #expect(outcome.exit == .code(0), "\(outcome.errors)")
            printed += ["$ " + command] + outcome.output.split(separator: "\n").map(String.init)
            if let line = lines.first(where: { command.hasPrefix($0.key) })?.value { try await daemon.line(line) }
            if command.contains("maybe") { _ = try await status(stage) { $0.rejected == 1 } }
        }
        #expect(try await daemon.exit() == .code(0))
        #expect(printed.map(pattern) == second.lines.map(pattern))
        #expect(
            daemon.output.elements.map { $0.replacing(stage.containers, with: "/var/lib/flag-daemon") } == first.output)
    }

    private func pattern(_ line: String) -> String {
        line.replacing(/"(pid|pidStart)":\d+/) { "\"\($0.output.1)\":N" }
            .replacing(/\d+-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "DATE")
    }

    private struct Status: Decodable {
        var state: String
        var pid: Int32?
        var starts: Int
        var applied: Int
        var rejected: Int
        var flags: [String: Bool]
    }

    /// As anybody may know it, as soon as it is like that.
    private func status(_ stage: Stage, where isRight: (Status) -> Bool = { _ in true }) async throws -> Status {
        var found: Status?
        let watching = try stage.start("watch-value", "-g", Self.group, "status")
        _ = await watching.output.wait { lines in
            for line in lines {
                do {
                    let status = try JSONDecoder().decode(Status.self, from: Data(line.utf8))
                    if isRight(status) { found = status }
                } catch {
                    Issue.record(error)
                }
            }
            return found == nil ? nil : true
        }
        return try #require(found)
    }

    private func write(_ json: String, _ stage: Stage) async throws {
        let outcome = try await stage.run("watch-value", "-g", Self.group, "set", "flags", json)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
    }
}
