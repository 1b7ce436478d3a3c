import SystemCalls
import TestSupport
import Testing

/// G8: handlers that do not return.
@Suite(.fewAtOnce, .serialized)
struct BlockedHandlersTests {
    /// G8: 31 subscribers that block delay no other.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G8_blockedHandlersDelayNobody(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let program = try Program(.product("probe"), ["blocked", folder.path("c"), "31"])
        try await program.line("blocked 31")
        for value in 1...10 {
            try await folder.shell("echo \(value) > n; mv n c/w")
            try await program.line("value \(value)")
        }
        // Own writes are reported, too.
        try await program.line("own 1000")
    }

    /// G8: loops whose bodies do not return delay nobody either. The body of the last loop runs in Swift's pool.
    @Test func G8_blockedLoopsDelayNobody() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["blocked-loops", folder.path("c"), "9"])
        try await program.line("blocked 9 kept 8")
        for value in 1...10 {
            try await folder.shell("echo \(value) > n; mv n c/w")
            try await program.line("value \(value)")
        }
    }

    /// Far less time than if the library noticed each stuck handler only after the one before it. Other tests use the
    /// processor, too: one attempt of many is enough.
    @Test(.disabled(if: CurrentProcess.hasThreadSanitizer, "everything takes longer"))
    func G8_blockedHandlersDelayNobodyForLong() async throws {
        let durations = try await durations(["blocked", "31"], "blocked 31 ", attempts: 30, wanted: 1, until: 100)
        #expect(durations.contains { $0 <= 100 }, "milliseconds until the last of them was called: \(durations)")
    }

    /// G8: handlers that begin to block one soon after the other delay the watching no longer than a single one does.
    /// Half of the changes are told within 2 ms then, and within 20 if each thread that reads is stuck in the next
    /// handler for 4. Other tests use the processor, too: five attempts of many are enough.
    @Test(.disabled(if: CurrentProcess.hasThreadSanitizer, "everything takes longer"))
    func G8_handlersThatBlockInTurnDelayNobodyForLong() async throws {
        let durations = try await durations(["blocked-in-turn", "25"], "told ", attempts: 50, wanted: 5, until: 5)
        #expect(durations.count { $0 <= 5 } == 5, "milliseconds until half of the changes were told: \(durations)")
    }

    /// What the probe prints at the end of such a line, in milliseconds, on tmpfs, so that no disk delays it: each time
    /// until it was no more than `limit` as often as `wanted`, or the attempts are over.
    private func durations(
        _ probe: [String], _ line: String, attempts: Int, wanted: Int, until limit: Int
    ) async throws -> [Int] {
        var durations: [Int] = []
        while durations.count < attempts, durations.count(where: { $0 <= limit }) < wanted {
            let folder = try TemporaryDirectory(on: .memory)
            let program = try Program(.product("probe"), [probe[0], folder.path("c"), probe[1]])
            let words = try await program.line(line).split(separator: " ")
            durations.append(try #require(words.last.flatMap { Int($0) }))
        }
        return durations
    }

    /// G8: where every thread of the library is stuck in a handler, a read still ends, and many writes meanwhile leave
    /// no more work than the newest one.
    @Test func G8_whereEveryThreadIsBlockedNothingPilesUp() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["stalled", folder.path("c")])
        try await program.line("stalled")
        try await program.line("read undecodable", within: .testDeadline)
        let line = try await program.line("waiting ")
        let jobs = try #require(line.split(separator: " ").last.flatMap { Int($0) })
        #expect(jobs < 10, "of 1000 writes")
    }
}
