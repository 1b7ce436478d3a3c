package import SystemCalls

/// A process whose end is logged. It is killed once nothing holds this object.
package final class SpawnedProcess: Sendable {
    /// Finished without an ending where the process cannot be waited for.
    package let endings = Log<ChildProcess.Ending>()
    private let child: ChildProcess

    package var identifier: Int32 { child.identifier }

    package init(
        _ command: [String], environment: [(String, String)], input: String, output: OutputPipe, errors: OutputPipe
    ) throws {
        // A file, not a pipe: a program that ends without reading everything would send this process SIGPIPE.
        child = try ChildProcess.spawn(
            command, input: try FileDescriptor.holding(Array(input.utf8)), output: output.writingEnd,
            errors: errors.writingEnd, environment: environment, leadsGroup: false)
        try Thread.spawn(named: "process-end") { [child, endings] in
            do throws(Errno) { endings.append(try child.wait()) } catch { endings.finish() }
        }
    }

    deinit {
        if endings.elements.isEmpty { send(.kill) }
    }

    /// kill(2).
    package func send(_ signal: Signal) {
        do throws(Errno) { try signal.send(to: identifier) } catch {}  // It is another user's process, and stays so.
    }
}
