import Foundation
import TestSupport

/// A folder in which shells run the built command. Its containers are in `groups`.
struct Sandbox: Sendable {
    private let folder: TemporaryDirectory

    /// Runs `body` in a new folder, and removes that at the end.
    ///
    /// Runs it on a thread that may block, and limits how many run at a time.
    static func run(
        _ place: TemporaryDirectory.Place = .disk, _ body: @Sendable (Sandbox) throws -> Void
    ) async throws {
        try await running.whileInside {
            try await blocking { try body(Sandbox(folder: try TemporaryDirectory(on: place))) }
        }
    }

    private static let running = AsyncSemaphore(4)

    func path(_ name: String) -> String { folder.path(name) }

    /// Starts a shell script in which `watch-value` is the built command. If the script is a single command, that
    /// replaces the shell.
    func start(_ script: String, input: String? = nil) throws -> RunningScript {
        let removed = [
            "WATCH_VALUE_GROUP", "WATCH_VALUE_LOCK", "WATCH_VALUE_LOCK_HOLDERS", "XDG_DATA_HOME", "NO_COLOR",
            "POSIXLY_CORRECT",
        ].map { "unset \($0)" }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let environment = [
            ("PATH", "\(Program.productsDirectory.path):\(path)"), ("GROUP_CONTAINERS", folder.path("groups")),
            ("SWIFT_BACKTRACE", "enable=no"), ("LC_ALL", "C.UTF-8"),
        ]
        let preparation = removed.joined(separator: "; ") + "; umask 022; cd '\(folder.path)' || exit\n"
        return try RunningScript(["/bin/bash", "-c", preparation + script], environment, input: input ?? "")
    }

    /// Runs a shell script to its end.
    @discardableResult
    func run(_ script: String, input: String? = nil) throws -> RunningScript.Result {
        try start(script, input: input).result()
    }

    /// Starts `watch-value` with these words, in place of the shell.
    func watch(_ words: String) throws -> RunningScript {
        try start("exec watch-value \(words)")
    }

    /// Starts a process that locks an existing value, and waits until it holds the lock.
    func holdLock(of name: String) throws -> RunningScript {
        let holder = try start(
            "exec flock -F groups/default/.groupfile/\(name).lock sh -c 'echo held; exec sleep 300'")
        try holder.expectLast("held")
        return holder
    }

    func text(_ name: String) throws -> String { try folder.read(name) }

    /// Whether a process exists, and has not ended.
    func isRunning(_ process: String) throws -> Bool {
        try run("grep -v ') Z ' /proc/\(process)/stat").code == 0
    }

    /// Paths of everything in the folder, relative to it.
    func everything() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }
}
