import BroadcastPreferences
import Foundation
import SystemCalls
import TestSupport
import Testing

/// How a broadcaster goes on air, whatever others do with the two values.
@Suite(.fewAtOnce) struct BroadcasterTests {
    /// A process that writes another broadcast over one has taken over, even if both began at the same moment.
    @Test func aBroadcastIsKnownByItsIdentifier() async throws {
        let stage = try Stage()
        let broadcaster = try stage.start("broadcaster", "--title", "One")
        try await broadcaster.line("started")
        let path = stage.container + "/broadcast"
        // The broadcaster may be just about to write its own value. Then the test writes again.
        #expect(
            try await eventually {
                let data = try Data(contentsOf: URL(fileURLWithPath: path))
                var twin = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
                twin["id"] = "A6B6F8C0-4F2E-4B0B-9A43-3C1E5A0D7E11"
                twin["title"] = "Twin\u{1B}[2J"
                twin["heartbeat"] = Date.now.timeIntervalSince1970
                let text = String(decoding: try JSONSerialization.data(withJSONObject: twin), as: UTF8.self)
                try stage.replace("broadcast", of: Stage.group, with: text)
                return !broadcaster.errors.elements.isEmpty
            })
        #expect(try await broadcaster.exit() == .code(1))
        #expect(broadcaster.errors.elements == ["broadcaster: \"Twin [2J\" \(BroadcastTests.isOnAir)"])
    }

    /// Taking the flag down matters more than recording how the broadcast ended.
    @Test func theFlagComesDownWhereTheEndCannotBeWritten() async throws {
        let stage = try Stage()
        let broadcaster = try stage.start("broadcaster")
        try await broadcaster.line("started")
        let container = try Directory(path: stage.container)
        try FileManager.default.createDirectory(
            atPath: stage.container + "/other", withIntermediateDirectories: false)
        // In one step: if there were no broadcast for a moment, the broadcaster would go on air again.
        try container.rename("other", to: "broadcast", .exchange)
        #expect(try await broadcaster.exit() == .code(74))
        #expect(broadcaster.errors.elements.count == 1, "\(broadcaster.errors.elements)")
        #expect(try stage.flag() == "false\n")
    }

    /// Even if the broadcaster's clock is ahead of ours.
    @Test(arguments: [(-2.5, 0.0), (-1.5, 0.5), (0, 2), (1.5, 2), (2.5, 0)])
    func aHeartbeatCountsForNoLongerThanItsLimit(ahead: Double, remaining: Double) {
        let now = Date(timeIntervalSince1970: 1_000_000)
        let broadcast = Broadcast(title: "", startedAt: now + ahead)
        #expect(broadcast.remainingTime(at: now) == .seconds(remaining))
    }

    @Test func aBroadcastBeginsOnceItIsOnAir() async throws {
        let stage = try Stage()
        try await stage.run("broadcaster", "--for", "0")
        let holder = try await stage.hold("is_broadcasting", of: Stage.group)
        let broadcaster = try stage.start("broadcaster", "--title", "Next")
        #expect(try await stage.waits(broadcaster, for: "is_broadcasting"))
        let release = Date.now.timeIntervalSince1970
        try await stage.letGo(holder)
        try await broadcaster.line("started")
        let start = try await stage.shell("watch-value get --at .startedAt broadcast", group: Stage.group).output
        #expect(try #require(Double(start)) >= release)
    }

    @Test func whoWaitsToGoOnAirCanBeStopped() async throws {
        let stage = try Stage()
        try await stage.run("broadcaster", "--for", "0")
        let holder = try await stage.hold("is_broadcasting", of: Stage.group)
        let broadcaster = try stage.start("broadcaster")
        #expect(try await stage.waits(broadcaster, for: "is_broadcasting"))
        broadcaster.signal(SIGTERM)
        #expect(try await broadcaster.exit() == .code(0))
        #expect(broadcaster.output.elements == [] && broadcaster.errors.elements == [])
        try await stage.letGo(holder)
    }

    /// As when somebody edited the value, and its broadcaster was killed.
    @Test(arguments: ["broadcast", "is_broadcasting"])
    func whatIsNoValueKeepsNobodyFromGoingOnAir(name: String) async throws {
        let stage = try Stage()
        try await stage.run("broadcaster", "--for", "0")
        try stage.replace(name, of: Stage.group, with: "{\"title\":")
        let broadcaster = try stage.start("broadcaster", "--title", "Next")
        try await broadcaster.line("started")
        try await stage.start("viewer").line("Broadcasting \"Next\"")
        broadcaster.signal(SIGTERM)
        #expect(try await broadcaster.exit() == .code(0))
        #expect(broadcaster.errors.elements == [])
        #expect(try stage.directory.read("containers/\(Stage.group)/.groupfile/\(name).rejected") == "{\"title\":")
    }
}
