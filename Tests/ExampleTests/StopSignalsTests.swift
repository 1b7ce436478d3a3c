import Foundation
import TestSupport
import Testing

/// What ends a program, and what does not.
@Suite struct StopSignalsTests {
    private static let group = FlagDaemonStatus.group

    /// A program whose output nobody reads can neither go on nor stop.
    @Test func aSecondSignalEndsItWhereverItHangs() async throws {
        let stage = try Stage()
        let reader =
            "{ read running; read flag; echo $flag; until test -e go; do kill -0 $$ || exit; sleep 0.02; done; }"
        let daemon = "{ flag-daemon; echo $? > exit; touch go; }"
        let pipeline = try stage.startScript("\(daemon) | \(reader)", group: Self.group)
        let pid = try #require(try await stage.daemonStatus { $0.state == "running" }.pid)
        // Far more than fits into a pipe.
        let names = (1000..<4000).map { "\"flag-\($0)-\(String(repeating: "x", count: 100))\":true" }
        try stage.replace("flags", of: Self.group, with: "{\(names.joined(separator: ","))}")
        try await pipeline.line("flag-1000")
        #expect(
            await eventually {
                kill(pid, SIGTERM)
                return FileManager.default.fileExists(atPath: stage.directory.path("go"))
            })
        #expect(try stage.directory.read("exit") == "143\n")
    }

    /// As timeout(1) does, which sends its signal twice, and a terminal that is closed.
    @Test func signalsThatComeTogetherLetItFinish() async throws {
        let stage = try Stage()
        let daemon = try stage.startScript("exec flag-daemon", group: Self.group)
        try await daemon.line("running")
        for signal in [SIGSTOP, SIGTERM, SIGINT, SIGHUP, SIGCONT] { daemon.signal(signal) }
        try #require(try await daemon.exit() == .code(0))
        #expect(try await stage.daemonStatus().state == "stopped")
    }

    /// As under nohup(1).
    @Test func whatItWasStartedToIgnoreStaysIgnored() async throws {
        let stage = try Stage()
        let daemon = try stage.startScript("trap '' HUP; exec flag-daemon", group: Self.group)
        try await daemon.line("running")
        for (flag, line) in [("true", "beta: on"), ("false", "beta: off")] {
            daemon.signal(SIGHUP)
            try await stage.setFlags("{\"beta\":\(flag)}")
            try await daemon.line { $0 == line }
        }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == .code(0))
    }
}
