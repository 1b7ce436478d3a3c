import Foundation
import TestSupport
import Testing

/// The status is all that one daemon knows about another, and anybody may change it.
@Suite(.fewAtOnce) struct FlagDaemonStatusTests {
    private static let group = FlagDaemonStatus.group

    @Test func onlyOneRuns() async throws {
        let stage = try Stage()
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        let second = try await stage.run("flag-daemon")
        #expect(second.exit == .code(75))
        #expect(second.errors == "flag-daemon: it is already running, as process \(daemon.processIdentifier)")
        #expect(try await stage.daemonStatus().pid == daemon.processIdentifier)
    }

    static let damages = [
        "echo garbage > status", "rm status", "mv ../\(group) ../../old",
        "watch-value set status '{\"state\":\"stopped\",\"starts\":0,\"applied\":0,\"rejected\":0,\"flags\":{}}'",
    ]

    @Test(arguments: damages)
    func aStatusThatIsNotItsOwnIsMadeAgain(damage: String) async throws {
        let stage = try Stage()
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        try await change(damage, stage)
        try FileManager.default.createDirectory(
            atPath: stage.container(of: Self.group), withIntermediateDirectories: true)
        #expect(try await stage.daemonStatus { $0.state == "running" }.pid == daemon.processIdentifier)
    }

    @Test(arguments: damages)
    func whoWasReplacedWhileItStoodStillEnds(damage: String) async throws {
        let stage = try Stage()
        let first = try stage.start("flag-daemon")
        try await first.line("running")
        // If it is stopped in the middle of a write, others wait for its lock.
        repeat {
            first.signal(SIGCONT)
            first.signal(SIGSTOP)
        } while try await stage.holdsALock(first, of: Self.group)
        try await change(damage, stage)
        let second = try stage.start("flag-daemon")
        try await second.line("running")
        first.signal(SIGCONT)
        try await expectOnlyOneGoesOn(second, and: first, stage)
    }

    @Test func ofTwoThatStartOverABadStatusOneGoesOn() async throws {
        let stage = try Stage()
        try FileManager.default.createDirectory(
            atPath: stage.container(of: Self.group), withIntermediateDirectories: true)
        try stage.directory.write("garbage", to: "containers/\(Self.group)/status")
        let (one, other) = (try stage.start("flag-daemon"), try stage.start("flag-daemon"))
        func isTold(_ daemon: Program) -> Bool {
            daemon.errors.elements.contains { $0.contains("it is already running") }
        }
        #expect(await eventually { isTold(one) || isTold(other) })
        let (winner, loser) = isTold(one) ? (other, one) : (one, other)
        try await expectOnlyOneGoesOn(winner, and: loser, stage)
    }

    private func change(_ command: String, _ stage: Stage) async throws {
        let outcome = try await stage.shell("cd containers/\(Self.group) && \(command)", group: Self.group)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
    }

    private func expectOnlyOneGoesOn(_ winner: Program, and loser: Program, _ stage: Stage) async throws {
        #expect(try await loser.exit() == .code(75))
        #expect(
            loser.errors.elements.last == "flag-daemon: it is already running, as process \(winner.processIdentifier)")
        _ = try await stage.daemonStatus { $0.state == "running" && $0.pid == winner.processIdentifier }
        winner.signal(SIGTERM)
        #expect(try await winner.exit() == .code(0))
        #expect(try await stage.daemonStatus().state == "stopped")
    }

    @Test func whoHoldsTheStatusHoldsUpNothingElse() async throws {
        let stage = try Stage()
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        let holder = try await stage.hold("status", of: Self.group)
        try await stage.setFlags("{\"beta\":true}")
        try await daemon.line { $0 == "beta: on" }
        // No event tells the daemon when the lock is free.
        #expect(await daemon.errors.first { $0.contains("could not acquire the lock within 2.0 seconds") } != nil)
        try await stage.letGo(holder)
        #expect(try await stage.daemonStatus { $0.flags == ["beta": true] }.state == "running")
    }

    @Test func aStatusThatIsNoneIsKept() async throws {
        let stage = try Stage()
        try FileManager.default.createDirectory(
            atPath: stage.container(of: Self.group), withIntermediateDirectories: true)
        try stage.directory.write("fine\n", to: "containers/\(Self.group)/status")
        let daemon = try stage.start("flag-daemon")
        try await daemon.line("running")
        #expect(try await stage.daemonStatus().starts == 1)
        #expect(try stage.directory.read("containers/\(Self.group)/.groupfile/status.rejected") == "fine\n")
        #expect(await daemon.errors.first { $0.contains("counting begins anew") } != nil)
    }
}
