import ExampleSupport
import Foundation

/// A program from the directory of this one, started as a child process.
final class Child: Sendable {
    private let name: String
    private let process = Process()
    /// Nothing is written to it; it is closed when this process ends.
    private let input = Pipe()
    private let output = Pipe()

    init(_ name: String, _ arguments: [String], containers: String) throws {
        self.name = name
        let directory = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let program = directory.appendingPathComponent(name)
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["GROUP_CONTAINERS": containers]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            throw Failure(
                "cannot start \(program.path), which is built beside this program: \(error.reason)", exitCode: 69)
        }
    }

    /// Reports each line and then the end, and returns; if the task is cancelled, it terminates the program.
    func follow(_ tell: @escaping @Sendable (Event) -> Void) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // On a thread: libdispatch crashes when its file sources come and go, as they do with
                // `readabilityHandler`.
                Thread.detachNewThread { [self] in
                    readLines { tell(.line($0, from: name)) }
                    process.waitUntilExit()
                    tell(.ended(name))
                    continuation.resume()
                }
            }
        } onCancel: {
            signal(SIGTERM)
        }
    }

    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// Blocks until there are no more lines.
    private func readLines(_ tell: (String) -> Void) {
        var rest = Data()
        while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
            rest.append(data)
            var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Data(lines.removeLast())
            for line in lines { tell(String(decoding: line, as: UTF8.self)) }
        }
    }
}
