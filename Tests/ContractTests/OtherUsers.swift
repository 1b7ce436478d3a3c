import Foundation
import GroupFiles
import SystemCalls
import TestSupport

/// Programs that run as other users, and what they need.
enum OtherUsers {
    static var probe: String { Program.path(ofProduct: "probe") }

    /// What runs a command as a member of `group`, and of no other group.
    static func member(_ number: Int, group: Int = 54321) -> [String] {
        ["setpriv", "--reuid=\(number)", "--regid=\(group)", "--clear-groups", "--"]
    }

    /// A folder in which everybody may make something. Nil, with a printed note, where this process cannot become
    /// another user, or where the checkout lies in a folder that only its owner may enter.
    static func folder() async throws -> TemporaryDirectory? {
        let folder = try TemporaryDirectory()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        if try await run(member(61001) + ["test", "-x", probe], in: folder).exit == .code(0) { return folder }
        print("LEFT OUT, because other users cannot be had, or may not run \(probe)")
        return nil
    }

    /// The same for tests in which root gives files away.
    static func folderOfRoot() async throws -> TemporaryDirectory? {
        if CurrentProcess.effectiveUser == 0 { return try await folder() }
        print("LEFT OUT, because only root can give files away")
        return nil
    }

    static func run(_ command: [String], in folder: TemporaryDirectory) async throws -> Program.Outcome {
        try await Program.run(.command(command[0]), Array(command.dropFirst()), directory: folder.path)
    }

    static func shell(_ script: String, as user: [String] = [], in folder: TemporaryDirectory) async throws {
        let outcome = try await run(user + ["sh", "-ec", script], in: folder)
        if outcome.exit != .code(0) { throw ShellFailure(outcome: outcome) }
    }

    private struct ShellFailure: Error {
        let outcome: Program.Outcome
    }

    /// Runs the probe's `make` after `preparation`.
    static func make(
        _ folder: TemporaryDirectory, _ preparation: String, _ sharing: Sharing, _ value: Int, as user: [String] = [],
        container: String = "c"
    ) async throws -> Program.Outcome {
        let script = "\(preparation); exec \"$0\" make \(container) v \(sharing.rawValue) \(value)"
        return try await run(user + ["sh", "-ec", script, probe], in: folder)
    }
}
