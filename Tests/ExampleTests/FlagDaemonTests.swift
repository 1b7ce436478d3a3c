import Foundation
import SystemCalls
import TestSupport
import Testing

/// A daemon, started and stopped like a service, while its operator edits its flags.
@Suite(.fewAtOnce) struct FlagDaemonTests {
    private static let group = FlagDaemonStatus.group
    private static let file = "containers/\(group)/flags"

    struct Edit: CustomTestStringConvertible {
        let testDescription: String
        /// Turns `beta` on, in the container's directory.
        let command: String
        var needs = "sh"
    }

    /// The ways in which operators edit.
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
        guard Tools.has(edit.needs) else { return }
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        #expect(!FileManager.default.fileExists(atPath: stage.directory.path(Self.file)), "it is the operator's")
        try await stage.setFlags("{\"beta\":false}")
        try await daemon.line { $0 == "beta: off" }
        let outcome = try await stage.shell("cd containers/\(Self.group) && \(edit.command)", group: Self.group)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
        try await daemon.line { $0 == "beta: on" }
        #expect(try await stage.daemonStatus { $0.flags == ["beta": true] }.pid == daemon.processIdentifier)

        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == .code(0))
        #expect(daemon.output.elements.last == "stopped")
        #expect(try await stage.daemonStatus().state == "stopped")
        #expect(try await stage.daemonStatus().pid == nil)
        #expect(try stage.directory.read(Self.file).contains("true"))
    }

    @Test func killedItGoesOnWhereItWas() async throws {
        let stage = try Stage()
        let first = try stage.start("flag-daemon")
        try await first.line("running")
        try await stage.setFlags("{\"beta\":true,\"dark\":false}")
        _ = try await stage.daemonStatus { $0.applied == 1 }
        first.signal(SIGKILL)
        #expect(try await first.exit() == .signal(SIGKILL))
        #expect(try await stage.daemonStatus().state == "running", "nobody could say otherwise")

        // Somebody edited the flags, with an error, while no daemon was running.
        try stage.directory.write("{\"beta\":maybe}", to: Self.file)
        let second = try stage.start("flag-daemon")
        try await second.line { $0 == "running with beta on, dark off" }
        #expect(await second.errors.first { $0.contains("/flags:1:9: ") } != nil)
        let status = try await stage.daemonStatus { $0.rejected == 1 }
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
        try await stage.setFlags("{\"beta\":true}")
        try await daemon.line { $0 == "beta: on" }
        try stage.replace("flags", of: Self.group, with: "{\"beta\":")
        #expect(await daemon.errors.reach { !$0.isEmpty })
        #expect(daemon.errors.elements.first?.contains("/flags:1:9: ") == true)
        #expect(daemon.errors.elements.first?.hasPrefix("flag-daemon: the flags stay as they are: ") == true)
        #expect(try await stage.daemonStatus { $0.rejected == 1 }.flags == ["beta": true])

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
            try await stage.setFlags("{\"beta\":true}")
            try await daemon.line { $0 == "beta: on" }
            // If the daemon wrote its status while the container is moved away, it would create another container.
            _ = try await stage.daemonStatus { $0.flags == ["beta": true] }
            // Moved in one step: the daemon writes a missing status again, even in the middle of a removal.
            try files.moveItem(atPath: container, toPath: stage.directory.path("old"))
            try files.removeItem(atPath: stage.directory.path("old"))
            try await daemon.line { $0 == "beta: gone" }
            #expect(!files.fileExists(atPath: container), "it is the operator's")
            try files.createDirectory(atPath: container, withIntermediateDirectories: false)
            #expect(try await stage.daemonStatus { $0.state == "running" }.flags == [:])
        }
        // Another container takes its place.
        let other = stage.directory.path("other")
        try files.createDirectory(atPath: other, withIntermediateDirectories: false)
        try stage.directory.write("{\"dark\":true}", to: "other/flags")
        try files.moveItem(atPath: container, toPath: stage.directory.path("old"))
        try files.moveItem(atPath: other, toPath: container)
        try await daemon.line { $0 == "dark: on" }
        #expect(try await stage.daemonStatus { $0.flags == ["dark": true] }.pid == daemon.processIdentifier)

        // The daemon may report in two steps that the status was missing here and that the flags have changed.
        #expect(
            try await eventually {
                let before = try Path.linkStatus(of: container + "/status").identity
                try await Task.sleep(for: .milliseconds(200))
                return try Path.linkStatus(of: container + "/status").identity == before
            })
        try files.moveItem(atPath: container, toPath: stage.directory.path("last"))
        try await daemon.line { $0 == "dark: gone" }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == .code(0))
        #expect(!files.fileExists(atPath: container))
        #expect(daemon.errors.elements == [])
    }

    /// A supervisor that restarts the daemon when it ends would do so for ever.
    @Test func noCountersEndIt() async throws {
        let stage = try Stage()
        try FileManager.default.createDirectory(
            atPath: stage.container(of: Self.group), withIntermediateDirectories: true)
        let counters = ["starts", "applied", "rejected"].map { "\"\($0)\":\(Int.max)" }.joined(separator: ",")
        try stage.directory.write(
            "{\"state\":\"stopped\",\"flags\":{},\(counters)}", to: "containers/\(Self.group)/status")
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        try await stage.setFlags("{\"beta\":true}")
        try await daemon.line("beta: on")
        try await stage.setFlags("[]")
        #expect(await daemon.errors.first { $0.contains("/flags:1:1: ") } != nil)
        try await stage.setFlags("{\"beta\":false}")
        try await daemon.line("beta: off")
    }
}
