import Foundation
import TestSupport
import Testing

/// How the daemon is installed: what its unit and its page promise.
@Suite(.fewAtOnce) struct FlagDaemonPageTests {
    private static let group = FlagDaemonStatus.group

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"),
            "systemd-analyze is not installed"))
    func itsUnitIsRight() async throws {
        let stage = try Stage()
        let unit = try String(
            contentsOf: Document.root.appendingPathComponent("Examples/flag-daemon/flag-daemon.service"),
            encoding: .utf8)
        let installed = "ExecStart=/usr/local/bin/flag-daemon\n"
        #expect(unit.contains(installed))
        // With the path of the built program, because systemd-analyze refuses a command that does not exist.
        let here = Program.path(ofProduct: "flag-daemon")
        try stage.directory.write(
            unit.replacing(installed, with: "ExecStart=\"\(here)\"\n"), to: "flag-daemon.service")
        // Whatever the umask is: systemd-analyze refuses files that everybody may write.
        #expect(unsafe chmod(stage.directory.path("flag-daemon.service"), 0o644) == 0)
        let verification = try await stage.shell(
            "systemd-analyze --man=no verify ./flag-daemon.service", group: Self.group)
        #expect(verification.exit == .code(0))
        #expect(verification.output + verification.errors == "", "what it does not know is ignored, but told")
    }

    /// Examples/flag-daemon/README.md shows the real output, except for numbers and dates.
    @Test func itsReadmeShowsWhatComes() async throws {
        let stage = try Stage()
        let blocks = try Document("Examples/flag-daemon/README.md").blocks("console")
        let (first, second) = (try #require(blocks.first), try #require(blocks.last))
        let daemon = try stage.startShell(first.commands[0] + " 2>&1", group: Self.group)
        try await daemon.line("running")
        // Each command, and the daemon's line that it causes.
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
            if command.contains("maybe") { _ = try await stage.daemonStatus { $0.rejected == 1 } }
        }
        #expect(try await daemon.exit() == .code(0))
        #expect(printed.map(pattern) == second.lines.map(pattern))
        #expect(
            daemon.output.elements.map { $0.replacing(stage.containers, with: "/var/lib/flag-daemon") } == first.output)
    }

    private func pattern(_ line: String) -> String {
        line.replacing(/"(pid|start)":\d+/) { "\"\($0.output.1)\":N" }
            .replacing(/"boot":"[0-9a-f-]+"/, with: "\"boot\":ID")
            .replacing(/\d+-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "DATE")
    }
}
