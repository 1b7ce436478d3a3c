import Foundation
import TestSupport
import Testing

/// The README's example, run as processes. The tests wait only for lines that one of them prints.
@Suite(.fewAtOnce) struct BroadcastTests {
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aViewerThatWasThereFirstSeesTheBroadcast(place: TemporaryDirectory.Place) async throws {
        let stage = try Stage(on: place)
        let viewer = try stage.start("viewer")
        try await viewer.line("Not Broadcasting")
        #expect(!FileManager.default.fileExists(atPath: stage.containers), "who only looks creates nothing")

        let broadcaster = try stage.start("broadcaster", "--title", "Morning show")
        try await viewer.line("Broadcasting \"Morning show\" since")
        try await viewer.line { $0.contains(" frames, ") }
        try await viewer.line { $0.contains(" frames, ") }
        #expect(try stage.flag() == "true\n")
        broadcaster.signal(SIGTERM)
        try await viewer.line("Not Broadcasting: \"Morning show\" finished at")
        #expect(try await broadcaster.exit() == .code(0))
        #expect(broadcaster.output.elements == ["started: Morning show", "finished"])
        #expect(try stage.flag() == "false\n")
        #expect(viewer.errors.elements == [])
    }

    @Test func aViewerThatComesLaterSeesTheTruthAtOnce() async throws {
        let stage = try Stage()
        let broadcaster = try stage.start("broadcaster")
        try await broadcaster.line("started")
        // If a busy machine holds up the broadcaster for two seconds, this line is the truth. Then the test looks
        // again.
        var first = "No heartbeat since"
        for _ in 0..<10 where first.hasPrefix("No heartbeat since") {
            first = try await stage.start("viewer").line { _ in true }
        }
        #expect(first.hasPrefix("Broadcasting \"Evening news\""))

        broadcaster.signal(SIGINT)
        #expect(try await broadcaster.exit() == .code(0))
        #expect(try stage.flag() == "false\n")
        let second = try stage.start("viewer")
        try await second.line { _ in true }
        #expect(second.output.elements.first?.hasPrefix("Not Broadcasting: \"Evening news\" finished") == true)
    }

    @Test func aBroadcastThatFailsSaysWhy() async throws {
        let stage = try Stage()
        let viewer = try stage.start("viewer")
        try await viewer.line("Not Broadcasting")
        let broadcaster = try stage.start("broadcaster", "--for", "0", "--fail", "camera unplugged")
        #expect(try await broadcaster.exit() == .code(1))
        #expect(broadcaster.output.elements.last == "finished with an error: camera unplugged")
        try await viewer.line { $0.hasSuffix("ended with an error: camera unplugged") }
        #expect(try stage.flag() == "false\n")
    }

    @Test func aKilledBroadcasterIsToldByItsHeartbeat() async throws {
        let stage = try Stage()
        let viewer = try stage.start("viewer")
        let broadcaster = try stage.start("broadcaster")
        try await viewer.line { $0.contains(" frames, ") }
        broadcaster.signal(SIGKILL)
        #expect(try await broadcaster.exit() == .signal(SIGKILL))
        try await viewer.line("No heartbeat since")
        #expect(try stage.flag() == "true\n", "nobody could take it back")

        // A later viewer knows it at once, and another broadcaster may take over.
        let later = try stage.start("viewer")
        try await later.line { _ in true }
        #expect(later.output.elements.first?.hasPrefix("No heartbeat since") == true)
        let next = try stage.start("broadcaster", "--title", "Late show")
        try await viewer.line("Broadcasting \"Late show\"")
        try await later.line("Broadcasting \"Late show\"")
        next.signal(SIGTERM)
        #expect(try await next.exit() == .code(0))
    }

    /// As after a broadcaster was killed and the clock was set back; and values that no clock gives.
    @Test(arguments: ["\(Date.now.timeIntervalSince1970 + 7200)", "1e300", "-1e300"])
    func aHeartbeatOfAnotherTimeIsNone(_ heartbeat: String) async throws {
        let stage = try Stage()
        let viewer = try stage.start("viewer")
        try await viewer.line("Not Broadcasting")
        try FileManager.default.createDirectory(atPath: stage.container, withIntermediateDirectories: true)
        try stage.replace("broadcast", of: Stage.group, with: broadcast("Killed", heartbeat: heartbeat))
        try stage.replace("is_broadcasting", of: Stage.group, with: "true")
        try await viewer.line("No heartbeat since")
        let next = try stage.start("broadcaster", "--title", "Next")
        try await next.line("started")
        try await viewer.line("Broadcasting \"Next\"")
    }

    @Test func aBroadcasterThatStandsStillIsLostUntilItGoesOn() async throws {
        let stage = try Stage()
        let viewer = try stage.start("viewer")
        let broadcaster = try stage.start("broadcaster")
        try await viewer.line("Broadcasting")
        broadcaster.signal(SIGSTOP)
        try await viewer.line("No heartbeat since")
        broadcaster.signal(SIGCONT)
        try await viewer.line("Broadcasting")
    }

    /// The broadcaster may create new files where `rm` has just looked. Then `rm` says that a directory is not empty.
    @Test(arguments: [
        "until rm -rf containers/*; do :; done", "echo false > containers/\(Stage.group)/is_broadcasting",
        "echo perhaps > containers/\(Stage.group)/is_broadcasting",
    ])
    func whatTookTheFlagAwayIsMadeUpFor(_ change: String) async throws {
        let stage = try Stage()
        let viewer = try stage.start("viewer")
        let broadcaster = try stage.start("broadcaster", "--title", "News")
        try await viewer.line("Broadcasting")
        let outcome = try await stage.shell(change, group: Stage.group)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
        let raised = try await stage.shell("watch-value wait is_broadcasting --for . --timeout 5m", group: Stage.group)
        #expect(raised.exit == .code(0), "\(raised)")
        broadcaster.signal(SIGTERM)
        try await viewer.line("Not Broadcasting: \"News\" finished at")
    }

    static let isOnAir = "is on air already; stop it first, or try again in 2 s if it was killed"

    @Test func whoWasReplacedWhileItStoodStillLeavesTheOtherOnAir() async throws {
        let stage = try Stage()
        let viewer = try stage.start("viewer")
        let first = try stage.start("broadcaster", "--title", "First")
        // If it is stopped in the middle of a write, others wait for its lock.
        repeat {
            first.signal(SIGCONT)
            try await viewer.line { $0.contains(" frames, ") }
            first.signal(SIGSTOP)
        } while try await stage.holdsALock(first)
        try await viewer.line("No heartbeat since")
        let second = try stage.start("broadcaster", "--title", "Second")
        try await viewer.line("Broadcasting \"Second\"")
        first.signal(SIGCONT)
        #expect(try await first.exit() == .code(1))
        #expect(first.errors.elements == ["broadcaster: \"Second\" \(Self.isOnAir)"])
        #expect(try stage.flag() == "true\n")
        second.signal(SIGTERM)
        try await viewer.line("Not Broadcasting: \"Second\" finished at")
        #expect(!viewer.output.elements.drop { !$0.contains("Second") }.contains { $0.contains("First") })
    }

    @Test func onlyOneIsOnAir() async throws {
        let stage = try Stage()
        var onAir = try stage.start("broadcaster", "--title", "Show 0")
        try await onAir.line("started")
        // If a busy machine holds up a broadcaster for two seconds, others take it for dead: then the next one takes
        // over.
        for round in 1...10 {
            let next = try stage.start("broadcaster", "--title", "Show \(round)")
            if await next.output.first(where: { $0.hasPrefix("started") }) == nil {
                #expect(try await next.exit() == .code(1))
                #expect(next.errors.elements == ["broadcaster: \"Show \(round - 1)\" \(Self.isOnAir)"])
                #expect(try stage.flag() == "true\n")
                return
            }
            #expect(try await onAir.exit() == .code(1))
            onAir = next
        }
        Issue.record("each of them has taken over")
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func theViewerFollowsWhateverHappensToTheDirectory(place: TemporaryDirectory.Place) async throws {
        let stage = try Stage(on: place)
        let viewer = try stage.start("viewer")
        try await viewer.line("Not Broadcasting")
        let files = FileManager.default
        for round in 1...3 {
            let broadcaster = try stage.start("broadcaster", "--title", "Round \(round)")
            try await viewer.line("Broadcasting \"Round \(round)\"")
            broadcaster.signal(SIGKILL)
            try await broadcaster.exit()
            try files.removeItem(atPath: round == 2 ? stage.containers : stage.container)
            try await viewer.line("Not Broadcasting")
        }
        // A foreign writer writes in place, with no broadcast beside the flag.
        try files.createDirectory(atPath: stage.container, withIntermediateDirectories: true)
        try stage.directory.write("true", to: "containers/\(Stage.group)/is_broadcasting")
        try await viewer.line { $0 == "Broadcasting" }
        // Content that is not a value leaves the last value in place, and is reported.
        try stage.directory.write("perhaps", to: "containers/\(Stage.group)/is_broadcasting")
        #expect(await viewer.errors.first { $0.contains("is_broadcasting:1:1") } != nil)
        try stage.directory.write("false", to: "containers/\(Stage.group)/is_broadcasting")
        try await viewer.line("Not Broadcasting")
    }

    /// As when its broadcaster was killed before it took the flag down.
    @Test func aBroadcastThatHasEndedIsOverWhateverTheFlagSays() async throws {
        let stage = try Stage()
        let viewer = try stage.start("viewer")
        try await viewer.line("Not Broadcasting")
        try FileManager.default.createDirectory(atPath: stage.container, withIntermediateDirectories: true)
        let now = "\(Date.now.timeIntervalSince1970)"
        try stage.replace("broadcast", of: Stage.group, with: broadcast("Killed", heartbeat: now))
        try stage.replace("is_broadcasting", of: Stage.group, with: "true")
        // If a busy machine delays the viewer, there was no heartbeat for two seconds.
        try await viewer.line { $0.hasPrefix("Broadcasting \"Killed\"") || $0.hasPrefix("No heartbeat since") }
        try stage.replace("broadcast", of: Stage.group, with: broadcast("Killed", heartbeat: now, endedAt: now))
        try await viewer.line("Not Broadcasting: \"Killed\" finished at")
        #expect(try await stage.start("viewer").line { _ in true }.hasPrefix("Not Broadcasting: \"Killed\" finished"))
    }

    /// A broadcast as a broadcaster writes it.
    private func broadcast(_ title: String, heartbeat: String, endedAt: String = "null") -> String {
        let id = UUID().uuidString
        return """
            {"id":"\(id)","title":"\(title)","startedAt":0,"bitrate":0,"framesSent":0,"heartbeat":\(heartbeat),\
            "endedAt":\(endedAt)}
            """
    }
}
