import Foundation
import GroupFiles
import SystemCalls

/// Runs an example, and prints what it has to say: one line at a time, each at once.
public struct Console: Sendable {
    /// Begins each line on standard error.
    private let program: String

    /// Must be created before the program opens anything: otherwise files would take the places of streams that were
    /// closed when the program was started, and would be read and written as if they were those streams.
    public init(_ program: String) {
        StandardStream.fillGaps()
        self.program = program
    }

    /// Prints a line at once, unlike `print`: a program at the other end of a pipe may be waiting for it. It stays one
    /// line, and does not control the terminal, even if its text comes from a file.
    public func say(_ line: String) { show(line.printable) }

    /// Prints the program's own text, of several lines, or with what moves the terminal's cursor.
    public func show(_ text: String) { write(text, to: .standardOutput) }

    /// The number of rows of the terminal at standard output; nil if there is no terminal, or if it does not know the
    /// number.
    public var rows: Int? { StandardStream.output.windowSize?.rows }

    /// Prints what went wrong, on standard error.
    public func report(_ problem: String) { write("\(program): \(problem)", to: .standardError) }

    /// Runs the program, and exits: with 0, or with a line that says what went wrong and an exit code, of sysexits.h
    /// where one fits. If `body` refuses `--help`, like any word that it does not know, the usage is shown instead.
    public nonisolated(nonsending) func run(
        _ usage: String, _ body: nonisolated(nonsending) (inout Arguments) async throws -> Void
    ) async -> Never {
        var arguments = Arguments(CommandLine.arguments.dropFirst())
        do {
            try await body(&arguments)
        } catch {
            // Even if something else is wrong with the command line.
            if arguments.asksForHelp {
                show(usage)
                exit(0)
            }
            report("\(error)")
            exit(exitCode(error))
        }
        exit(0)
    }

    private func exitCode(_ error: any Error) -> Int32 {
        if let failure = error as? Failure { return failure.exitCode }
        switch (error as? GroupFileError)?.code {
        case .invalidName: return 64
        case .undecodable, .tooLarge: return 65
        case .permissionDenied: return 77
        default: return 74
        }
    }

    private func write(_ text: String, to file: FileHandle) {
        do {
            try file.write(contentsOf: Data((text + "\n").utf8))
        } catch {
            // Nobody reads any more. SIGPIPE has notified a program that listens for it; a service ignores it, because
            // its work counts.
        }
    }
}
