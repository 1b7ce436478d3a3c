import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// What a write and an observed change cost in system calls: a count is no timing, and it does not creep up unseen.
@Suite(.fewAtOnce, .serialized)
struct CostTests {
    private struct Lamp: Codable, Sendable {
        var counter: Int
        var note = "lamp"
    }

    /// The calls of this thread that the tap sees in the cheapest of some writes, tried until one makes at most
    /// `limit`. The tap does not see LOCK_UN, which is added.
    private func callsOfAWrite<T: Codable & Sendable>(
        _ durability: Durability, atMost limit: Int, _ first: T, _ second: T, _ third: T
    ) async throws -> [String] {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: first, durability: durability)
        return try await blocking {
            // Each of these writes follows another one soon, and the echo of that one has come back. On a busy machine
            // the lock may have been closed in between; the first writes find a name in it that they have not seen
            // there; or a tick comes within each write, and it is still to be found out whether times are precise.
            var fewest: [String]?
            for _ in 0..<200 where fewest?.count ?? .max > limit {
                try file.write(second)
                _ = try file.read()
                let made = try SystemCallTap.calls { () throws(GroupFileError) in try file.write(third) }
                let calls = made.map(\.call.rawValue) + ["flock"]
                if calls.count < fewest?.count ?? .max { fewest = calls }
            }
            return try #require(fewest)
        }
    }

    @Test func aRelaxedWriteTakesFourteenCalls() async throws {
        let calls = try await callsOfAWrite(.relaxed, atMost: 14, true, false, true)
        #expect(calls.count <= 14, "\(calls.joined(separator: " "))")
        #expect(calls.filter { $0 == "renameat2" }.count == 1)
    }

    @Test func aConsistentWriteTakesFifteenCalls() async throws {
        let calls = try await callsOfAWrite(.consistent, atMost: 15, true, false, true)
        #expect(calls.count <= 15, "\(calls)")
        #expect(calls.filter { $0 == "fsync" }.count == 1)
    }

    /// An object may have members that its writer does not know; finding that there are none takes no additional call.
    @Test func aWriteOfAnObjectTakesFourteenCalls() async throws {
        let calls = try await callsOfAWrite(.relaxed, atMost: 14, Lamp(counter: 0), Lamp(counter: 1), Lamp(counter: 2))
        #expect(calls.count <= 14, "\(calls.joined(separator: " "))")
    }

    /// Counted in a process that does nothing else. The tap does not see that the alarm that watches over the handler
    /// is armed.
    @Test func anObservedChangeTakesSixCalls() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let observer = try Program(.product("probe"), ["observed", folder.path("c"), "v"])
        try await observer.line("value 0")
        var fewest = Int.max
        for value in 1...20 {
            try await file.write(value)
            try await observer.line("value \(value)")
            let line = try await observer.line("calls \(value) ")
            let calls = line.split(separator: " ").dropFirst(2)
            fewest = min(fewest, calls.count + 1)
        }
        #expect(fewest <= 6)
    }
}
