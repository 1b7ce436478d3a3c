import SystemCalls
import TestSupport
import Testing

@testable import WatchValueCommand

/// What `--durability` changes: how often a command waits for the disk.
@Suite(.serialized) struct DurabilityTests {
    /// The value's file is synced before it is published, its directory afterwards.
    @Test(arguments: ["set", "update"], [("relaxed", 0), ("consistent", 1), ("durable", 2), (nil, 1)])
    func itSyncsWhatItPromises(command: String, promise: (name: String?, syncs: Int)) async throws {
        let folder = try TemporaryDirectory()
        // The first change creates the directory for locks.
        try await change("set", "relaxed", folder.path("v"), to: "1")
        let syncs = Log<String>()
        try await change(command, promise.name, folder.path("v"), to: "2") { call, descriptor in
            if call == .fsync, let path = Self.path(of: descriptor), path.hasPrefix(folder.path) { syncs.append(path) }
            return .none
        }
        #expect(syncs.elements.count == promise.syncs, "\(syncs.elements)")
        #expect(try folder.read("v") == "2\n")
    }

    /// Runs the command in this process, on a thread that blocks all signals, as the command's own threads do. `tap`
    /// sees each system call.
    private func change(
        _ command: String, _ promise: String?, _ path: String, to value: String,
        _ tap: @escaping SystemCallTap.Handler = { _, _ in .none }
    ) async throws {
        let operands = command == "set" ? [path, value] : [path, "--", "echo", value]
        let words = [command] + (promise.map { ["--durability", $0] } ?? []) + operands
        let messages = Log<String>()
        try Thread.spawn(named: "command") {
            do throws(Failure) {
                try SystemCallTap.tapping(everyThread: true, tap) { () throws(Failure) in
                    guard case .run(let arguments) = try ArgumentParser.parse(words.map { Array($0.utf8) }[...]) else {
                        return
                    }
                    if command == "set" { try SetCommand(arguments).run() } else { try UpdateCommand(arguments).run() }
                }
                messages.append("")
            } catch {
                messages.append(error.message)
            }
        }
        #expect(await messages.first { _ in true } == "")
    }

    private static func path(of descriptor: String) -> String? {
        do throws(Errno) {
            return try Path.linkTarget(of: "/proc/self/fd/\(descriptor)")
        } catch {
            return nil
        }
    }
}
