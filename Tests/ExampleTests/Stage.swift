import Foundation
import SystemCalls
import TestSupport
import Testing

/// Where one test's programs meet: a place for containers that does not exist yet.
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

    /// A program that ends by itself.
    @discardableResult
    func run(_ product: String, _ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(.product(product), arguments, environment: environment)
    }

    /// A line as its reader types it, where the products are in PATH and values in the test's directory.
    @discardableResult
    func shell(_ command: String, group: String) async throws -> Program.Outcome {
        try await Program.run(
            .command("sh"), ["-c", command], environment: shellEnvironment(group), directory: directory.path)
    }

    func startShell(_ command: String, group: String) throws -> Program {
        try Program(
            .command("sh"), ["-c", "exec " + command], environment: shellEnvironment(group), directory: directory.path)
    }

    private func shellEnvironment(_ group: String) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return environment.merging(
            ["WATCH_VALUE_GROUP": group, "PATH": Program.productsDirectory.path + ":" + path]
        ) { $1 }
    }

    private var environment: [String: String] { ["GROUP_CONTAINERS": containers] }

    /// Replaces a value as a whole, where a test counts what becomes of it: who writes in place may be held up for so long
    /// that what stands there then counts.
    func replace(_ name: String, of group: String, with text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: container(of: group) + "/" + name), options: .atomic)
    }

    /// Whether a program that is being stopped holds a lock of the group, once it stands still.
    func holdsALock(_ program: Program) async throws -> Bool {
        let status = "/proc/\(program.processIdentifier)/stat"
        #expect(try await eventually { try ProcessTable.text(status).contains(") T ") })
        let control = try Directory(path: container + "/.groupfile")
        return try control.names().contains { name in
            try FileLock(control.open(name, [.readOnly, .nonBlocking])).isTaken()
        }
    }

    /// What any program finds in the file.
    func flag() throws -> String {
        try directory.read("containers/\(Self.group)/is_broadcasting")
    }
}

extension Program {
    /// Whether the newest of its lines that begin so is this one; now, or before the test's deadline.
    func shows(_ line: String, of title: String) async -> Bool {
        await output.wait { $0.last { $0.hasPrefix(title) } == line ? true : nil } ?? false
    }
}
