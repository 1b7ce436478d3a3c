package import Foundation
import SystemCalls

/// A process that a test has started: a product of this package, or any command.
///
/// 1. It is *spawned*, with the given input, and with the given variables added to this process's environment.
/// 2. What it prints is *split* into lines as it comes.
/// 3. The test *waits* for a line, or for the end, and sends *signals*.
/// 4. It is *killed* once nothing holds this object any more.
package final class Program: Sendable {
    package enum Executable: Sendable {
        /// A product of this package, by name. Its target has to be among the dependencies of the test target.
        case product(String)
        /// A command on PATH, or a path.
        case command(String)
    }

    package enum Exit: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    /// Thrown if what a test waits for does not come; says what the program printed instead.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let name: String
    package let output: Log<String>
    package let errors: Log<String>
    private let process: SpawnedProcess
    /// How many lines of `output` the test has been given, or has skipped.
    private let position = Guarded(0)

    package init(
        _ executable: Executable, _ arguments: [String] = [], environment: [String: String] = [:],
        directory: String? = nil, input: String? = nil
    ) throws {
        var command: [String]
        switch executable {
        case .product(let name):
            self.name = name
            command = [Self.path(ofProduct: name)] + arguments
        case .command(let name):
            self.name = name
            command = [name] + arguments
        }
        if let directory { command = ["env", "-C", directory] + command }
        let (outputPipe, errorPipe) = (try OutputPipe(), try OutputPipe())
        process = try SpawnedProcess(
            command, environment: [("SWIFT_BACKTRACE", "enable=no")] + environment.map { ($0.key, $0.value) },
            input: input ?? "", output: outputPipe, errors: errorPipe)
        output = try outputPipe.lines()
        errors = try errorPipe.lines()
    }

    package var processIdentifier: Int32 { process.identifier }

    /// kill(2).
    package func signal(_ number: Int32) {
        process.send(Signal(rawValue: number))
    }

    /// The next line for which `predicate` holds. Those before it are skipped, and are not given later either.
    @discardableResult
    package func line(
        within limit: Duration = .testDeadline, _ what: String = "the line", where predicate: (String) -> Bool
    ) async throws -> String {
        let start = position.withLock { $0 }
        let found = await output.wait(within: limit) { lines in
            lines.indices.dropFirst(start).first { predicate(lines[$0]) }
        }
        guard let found else { throw failure("\(what) did not come") }
        position.withLock { $0 = found + 1 }
        return output.elements[found]
    }

    /// The next line that begins with `start`.
    @discardableResult
    package func line(_ start: String, within limit: Duration = .testDeadline) async throws -> String {
        try await line(within: limit, "a line \"\(start)…\"") { $0.hasPrefix(start) }
    }

    /// Waits until it has ended, and until all that it printed has been read.
    @discardableResult
    package func exit(within limit: Duration = .testDeadline) async throws -> Exit {
        guard let ending = await process.endings.first(within: limit, where: { _ in true }) else {
            throw failure("it did not end")
        }
        // If a child of the program keeps the pipes open for longer, that is no reason to fail.
        for log in [output, errors] { _ = await log.wait(within: .seconds(10)) { _ in Bool?.none } }
        return switch ending {
        case .exited(let code): .code(code)
        case .signalled(let signal): .signal(signal.rawValue)
        }
    }

    private func failure(_ what: String) -> Failure {
        Failure(
            description: """
                \(name): \(what). It printed:
                \(output.elements.joined(separator: "\n"))
                and on standard error:
                \(errors.elements.joined(separator: "\n"))
                """)
    }

    /// The test runner lies beside the products.
    package static var productsDirectory: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    package static func path(ofProduct name: String) -> String { productsDirectory.appendingPathComponent(name).path }
}

extension Program {
    /// How a program ended, and what it printed.
    package struct Outcome: Sendable {
        package let exit: Exit
        package let output: String
        package let errors: String
    }

    /// Starts the program and waits for its end.
    package static func run(
        _ executable: Executable, _ arguments: [String] = [], environment: [String: String] = [:],
        directory: String? = nil, input: String? = nil, within limit: Duration = .testDeadline
    ) async throws -> Outcome {
        let program = try Program(
            executable, arguments, environment: environment, directory: directory, input: input)
        let exit = try await program.exit(within: limit)
        return Outcome(
            exit: exit, output: program.output.elements.joined(separator: "\n"),
            errors: program.errors.elements.joined(separator: "\n"))
    }
}
