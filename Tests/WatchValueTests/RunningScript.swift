import SystemCalls
import TestSupport

/// A running shell script. Tests wait for what it prints; they never sleep.
final class RunningScript: Sendable {
    struct Result: Sendable {
        /// As a shell sees it: 128+n for a signal.
        let code: Int32
        let output: String
        let errors: String
        /// Whether it died of a signal instead of exiting.
        let wasKilled: Bool

        var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }
    }

    struct TimedOut: Error, CustomStringConvertible {
        let description: String
    }

    private let printed: Log<[UInt8]>
    private let complained: Log<[UInt8]>
    private let process: SpawnedProcess
    var identifier: Int32 { process.identifier }

    init(_ command: [String], _ environment: [(String, String)], input: String) throws {
        let (output, errors) = (try OutputPipe(), try OutputPipe())
        process = try SpawnedProcess(command, environment: environment, input: input, output: output, errors: errors)
        printed = try output.pieces()
        complained = try errors.pieces()
    }

    var output: String { Self.text(printed.elements) }
    var errors: String { Self.text(complained.elements) }
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    private static func text(_ pieces: [[UInt8]]) -> String {
        String(decoding: pieces.reduce(into: [UInt8]()) { $0 += $1 }, as: UTF8.self)
    }

    /// Waits until a log meets a condition.
    private func wait<Element: Sendable>(
        _ what: String, for log: Log<Element>, within limit: Duration = .testDeadline, until isMet: ([Element]) -> Bool
    ) throws {
        if log.block(within: limit, until: isMet) { return }
        throw TimedOut(description: "waited for \(what); output: \(output); errors: \(errors)")
    }

    /// Waits until the last printed line is this one.
    func expectLast(_ line: String, within limit: Duration = .testDeadline) throws {
        try expect("the last line \(line)", within: limit) { $0 == line }
    }

    /// Waits until the last printed line meets a condition.
    func expect(_ what: String, within limit: Duration = .testDeadline, last isMet: (String) -> Bool) throws {
        try wait(what, for: printed, within: limit) { pieces in
            let text = Self.text(pieces)
            return text.hasSuffix("\n") && text.split(separator: "\n").last.map { isMet(String($0)) } ?? false
        }
    }

    func expectLines(_ count: Int) throws {
        try wait("\(count) lines", for: printed) { Self.text($0).utf8.count { $0 == UInt8(ascii: "\n") } >= count }
    }

    func expectOutput(_ part: String) throws {
        try wait("output with \(part)", for: printed) { Self.text($0).contains(part) }
    }

    func expectError(_ part: String) throws {
        try wait("errors with \(part)", for: complained) { Self.text($0).contains(part) }
    }

    func send(_ signal: Int32) {
        process.send(Signal(rawValue: signal))
    }

    /// Waits for the script's end, and for the end of its output.
    func result() throws -> Result {
        do {
            try wait("the end", for: process.endings) { !$0.isEmpty }
            for log in [printed, complained] {
                try wait("the end of what is printed", for: log) { _ in log.isFinished }
            }
        } catch {
            send(Signal.kill.rawValue)
            throw error
        }
        let (code, wasKilled): (Int32, Bool) =
            switch process.endings.elements.first {
            case .exited(let code): (code, false)
            case .signalled(let signal): (128 + signal.rawValue, true)
            case nil: (-1, false)
            }
        return Result(code: code, output: output, errors: errors, wasKilled: wasKilled)
    }

    /// Ends the script with SIGTERM.
    @discardableResult
    func end() throws -> Result {
        send(Signal.terminate.rawValue)
        return try result()
    }
}

/// Checks the condition again and again. There is no pause, because each check takes its time.
func waitUntil(_ what: String = "the condition", _ isMet: () throws -> Bool) throws {
    let end = Moment.now + .testDeadline
    while try !isMet() {
        if Moment.now > end { throw RunningScript.TimedOut(description: "waited for \(what)") }
    }
}
