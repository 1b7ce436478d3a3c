import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Commands that change the value: one waits for the lock on a thread of its own, the other on the thread that changes
/// the value.
private let changes = [["set", "v", "5"], ["update", "v", "--", "echo", "5"]]

@Suite(.fewAtOnce)
struct StoppedWaiterTests {
    /// G5: a process that is stopped while it waits for the lock, as by Ctrl-Z when it seems to hang, does not hold up
    /// those that come after it.
    @Test(arguments: TemporaryDirectory.Place.allCases, changes)
    func G5_whoIsStoppedWhileItWaitsKeepsNobodyWaiting(
        place: TemporaryDirectory.Place, change: [String]
    ) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .seconds(60))
        try await file.write(1)
        let control = try Directory(path: folder.path("c/.groupfile"))
        let holder = FileLock(try control.open("v.lock", .readWrite))
        try holder.lock()
        let waiter = try Program(
            .product("watch-value"), [change[0], "--container", folder.path("c")] + change.dropFirst())
        let turn = FileLock(try control.open("v.turn", [.readWrite, .create], permissions: 0o644))
        let lock = try holder.descriptor.status().identity.inode
        // The process waits for the lock, and gives its turn back.
        #expect(try await eventually { try ProcessTable.waiters(for: lock) == 1 })
        #expect(try await eventually { try !turn.isTaken() })
        waiter.signal(SIGSTOP)
        #expect(try await eventually { try Self.isStopped(waiter.processIdentifier) })
        holder.unlock()
        try await file.write(2)
        #expect(try folder.read("c/v") == "2\n")
        waiter.signal(SIGCONT)
        #expect(try await waiter.exit() == .code(0))
        #expect(try folder.read("c/v") == "5\n")
    }

    /// G5: nor does a process that is stopped in its turn, for which others already wait: programs that wait for ever,
    /// programs that do not, and this process.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_whoIsStoppedInItsTurnKeepsNobodyWaitingForLong(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        try await file.write(0)
        let control = try Directory(path: folder.path("c/.groupfile"))
        let holder = FileLock(try control.open("v.lock", .readWrite))
        try holder.lock()
        let first = try Program(
            .product("watch-value"), ["update", "--container", folder.path("c"), "v", "--", "echo", "0"])
        let lock = try holder.descriptor.status().identity.inode
        #expect(try await eventually { try ProcessTable.waiters(for: lock) == 1 })
        let turn = try control.status(of: "v.turn").identity.inode
        first.signal(SIGSTOP)
        #expect(try await eventually { try Self.isStopped(first.processIdentifier) })
        // If all that has taken two seconds, the stopped process has no turn any more.
        let others = try (0..<2).map { _ in try Program(.product("probe"), ["count", folder.path("c"), "v", "200"]) }
        let task = Task { try await file.update { $0 += 1 } }
        _ = try await eventually(within: .seconds(2)) { try ProcessTable.waiters(for: turn) == 3 }
        holder.unlock()
        for program in others { #expect(try await program.exit() == .code(0)) }
        try await task.value
        try await blocking { for _ in 0..<20 { try file.update { $0 += 1 } } }
        #expect(try folder.read("c/v") == "421\n")
        // A process that waits again, even after a change that failed, does not wait for the turn once more.
        let lamp = try GroupFile("v", in: container, initialValue: "")
        await #expect(throws: GroupFileError.self) { try await lamp.update { $0 = "" } }
        try holder.lock()
        let next = Task { try await file.update { $0 += 1 } }
        #expect(try await eventually { try ProcessTable.waiters(for: lock) == 1 })
        #expect(try await eventually { try ProcessTable.waiters(for: turn) <= 1 })
        holder.unlock()
        try await next.value
        first.signal(SIGCONT)
        #expect(try await first.exit() == .code(0))
        #expect(try folder.read("c/v") == "0\n")
    }

    /// Whether all threads of the process are stopped: until then, one of them may still take the lock.
    private static func isStopped(_ process: Int32) throws -> Bool {
        let threads = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).allSatisfy { thread in
            let status = try String(contentsOfFile: "\(threads)/\(thread)/stat", encoding: .utf8)
            // The state follows the name, which is in parentheses.
            return status.split(separator: ")").last?.hasPrefix(" T ") == true
        }
    }
}
