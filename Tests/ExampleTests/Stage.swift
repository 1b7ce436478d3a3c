import Foundation
import SystemCalls
import TestSupport
import Testing

/// Where the programs of one test meet: a place for containers, which does not exist yet.
final class Stage: Sendable {
    static let group = "group.com.example.broadcast"
    let directory: TemporaryDirectory

    init(on place: TemporaryDirectory.Place = .disk) throws {
        directory = try TemporaryDirectory(on: place)
    }

    var containers: String { directory.path("containers") }
    var container: String { container(of: Self.group) }

    func container(of group: String) -> String { containers + "/" + group }

    func start(_ product: String, _ arguments: String...) throws -> Program {
        try Program(.product(product), arguments, environment: environment)
    }

    /// Runs a program that ends by itself.
    @discardableResult
    func run(_ product: String, _ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(.product(product), arguments, environment: environment)
    }

    /// Runs a line as a reader would type it, with the products in PATH and the test's directory as the current one.
    @discardableResult
    func shell(_ command: String, group: String) async throws -> Program.Outcome {
        try await Program.run(
            .command("sh"), ["-c", command], environment: shellEnvironment(group), directory: directory.path)
    }

    func startShell(_ command: String, group: String) throws -> Program {
        try startScript("exec " + command, group: group)
    }

    /// Starts a script of more than one command.
    func startScript(_ script: String, group: String) throws -> Program {
        try Program(
            .command("sh"), ["-c", script], environment: shellEnvironment(group), directory: directory.path)
    }

    private func shellEnvironment(_ group: String) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return environment.merging(
            ["WATCH_VALUE_GROUP": group, "PATH": Program.productsDirectory.path + ":" + path]
        ) { $1 }
    }

    private var environment: [String: String] { ["GROUP_CONTAINERS": containers] }

    /// Replaces a value as a whole, for tests that count what follows. A writer in place may be held up for so long
    /// that its unfinished content counts.
    func replace(_ name: String, of group: String, with text: String) throws {
        try directory.replace("containers/\(group)/\(name)", with: text)
    }

    /// Waits until a program that is being stopped stands still, and returns whether it holds a lock of the group then.
    func holdsALock(_ program: Program, of group: String = Stage.group) async throws -> Bool {
        let status = "/proc/\(program.processIdentifier)/stat"
        #expect(try await eventually { try ProcessTable.text(status).contains(") T ") })
        let control = try Directory(path: container(of: group) + "/.groupfile")
        return try control.names().contains { name in
            try FileLock(control.open(name, [.readOnly, .nonBlocking])).isTaken()
        }
    }

    /// Holds a value's lock, from before this returns until the file `go` exists. The value does not change.
    func hold(_ name: String, of group: String) async throws -> Program {
        let wait = "cat; echo held >&2; until test -e go; do kill -0 $PPID || exit; sleep 0.02; done"
        let holder = try startShell("watch-value update \(name) -- sh -c '\(wait)'", group: group)
        #expect(await holder.errors.first { $0 == "held" } != nil)
        return holder
    }

    func letGo(_ holder: Program) async throws {
        try directory.write("", to: "go")
        #expect(try await holder.exit() == .code(0))
    }

    /// Whether a program has a value's lock file open, as it has while it waits for the lock. Waits for that until the
    /// deadline.
    func waits(_ program: Program, for name: String) async throws -> Bool {
        let descriptors = "/proc/\(program.processIdentifier)/fd"
        return try await eventually {
            try Directory(path: descriptors).names().contains { descriptor in
                do throws(Errno) {
                    return try Path.linkTarget(of: descriptors + "/" + descriptor).hasSuffix("/\(name).lock")
                } catch {
                    return false  // It is closed meanwhile.
                }
            }
        }
    }

    /// What any program would read in the file.
    func flag() throws -> String {
        try directory.read("containers/\(Self.group)/is_broadcasting")
    }
}

extension Program {
    /// Whether the newest line that begins with `title` is this one. Waits for that until the test's deadline.
    func shows(_ line: String, of title: String) async -> Bool {
        await output.reach { $0.last { $0.hasPrefix(title) } == line }
    }
}
