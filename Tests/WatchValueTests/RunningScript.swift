import Dispatch
import SystemCalls

/// A shell script that runs: what it prints is waited for, never slept for.
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

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var openStreams = 2
        var ending: ChildProcess.Ending?
    }

    /// Only a test that fails ever waits that long; a busy machine may take its time.
    static let patience: Double = 120
    private let state = Guarded(State())
    /// Rung at each change; one thread at a time waits.
    private let changed = DispatchSemaphore(value: 0)
    private let child: ChildProcess
    var identifier: Int32 { child.identifier }

    init(_ command: [String], _ environment: [(String, String)], input: String) throws {
        var output = try PipeEnds()
        var errors = try PipeEnds()
        child = try ChildProcess.spawn(
            command, input: try FileDescriptor.holding(Array(input.utf8)), output: output.writingEnd,
            errors: errors.writingEnd, environment: environment, leadsGroup: false)
        output.closeWriting()
        errors.closeWriting()
        try collect(output) { state, bytes in state.output += bytes }
        try collect(errors) { state, bytes in state.errors += bytes }
        try Thread.spawn(named: "test-wait") { [self] in
            let ending = Swift.Result { () throws(Errno) in try child.wait() }
            if case .success(let ending) = ending { change { $0.ending = ending } }
        }
    }

    private func collect(
        _ pipe: consuming PipeEnds, _ take: @escaping @Sendable (inout State, [UInt8]) -> Void
    ) throws {
        let end = PipeEnd(pipe)
        try Thread.spawn(named: "test-read") { [self] in
            while let bytes = end.read() { change { take(&$0, bytes) } }
            change { $0.openStreams -= 1 }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        changed.signal()
    }

    var output: String { read { String(decoding: $0.output, as: UTF8.self) } }
    var errors: String { read { String(decoding: $0.errors, as: UTF8.self) } }
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    private func read<T>(_ body: (State) -> T) -> T {
        body(state.withLock { $0 })
    }

    /// Waits until what was printed meets a condition.
    private func wait(_ what: String, until isMet: (State) -> Bool) throws {
        let end = DispatchTime.now() + Self.patience
        while !read(isMet) {
            if changed.wait(timeout: end) == .timedOut {
                throw TimedOut(description: "waited for \(what); output: \(output); errors: \(errors)")
            }
        }
    }

    /// Waits until the last line printed is this one.
    func expectLast(_ line: String) throws {
        try expect("the last line \(line)") { $0 == line }
    }

    /// Waits until the last line printed meets a condition.
    func expect(_ what: String, last isMet: (String) -> Bool) throws {
        try wait(what) { state in
            let text = String(decoding: state.output, as: UTF8.self)
            return text.hasSuffix("\n") && text.split(separator: "\n").last.map { isMet(String($0)) } ?? false
        }
    }

    func expectLines(_ count: Int) throws {
        try wait("\(count) lines") { $0.output.filter { $0 == UInt8(ascii: "\n") }.count >= count }
    }

    func expectOutput(_ part: String) throws {
        try wait("output with \(part)") { String(decoding: $0.output, as: UTF8.self).contains(part) }
    }

    func expectError(_ part: String) throws {
        try wait("errors with \(part)") { String(decoding: $0.errors, as: UTF8.self).contains(part) }
    }

    func send(_ signal: Int32) {
        _ = Swift.Result { () throws(Errno) in try Signal(rawValue: signal).send(to: identifier) }
    }

    /// Waits for its end.
    func result() throws -> Result {
        do {
            try wait("the end") { $0.ending != nil && $0.openStreams == 0 }
        } catch {
            send(Signal.kill.rawValue)
            throw error
        }
        let (code, wasKilled): (Int32, Bool) =
            switch read(\.ending) {
            case .exited(let code): (code, false)
            case .signalled(let signal): (128 + signal.rawValue, true)
            case nil: (-1, false)
            }
        return Result(code: code, output: output, errors: errors, wasKilled: wasKilled)
    }

    /// Ends it with SIGTERM.
    @discardableResult
    func end() throws -> Result {
        send(Signal.terminate.rawValue)
        return try result()
    }
}

/// The reading end of a pipe, for a thread.
private final class PipeEnd: Sendable {
    private let pipe: PipeEnds

    init(_ pipe: consuming PipeEnds) {
        self.pipe = pipe
    }

    /// What came, nil at the end.
    func read() -> [UInt8]? {
        let bytes = Result { () throws(Errno) in try pipe.read() }
        guard case .success(let bytes) = bytes, !bytes.isEmpty else { return nil }
        return bytes
    }
}

/// Looks again and again; each look takes its time.
func waitUntil(_ what: String = "the condition", _ isMet: () throws -> Bool) throws {
    let end = DispatchTime.now() + RunningScript.patience
    while try !isMet() {
        if DispatchTime.now() > end { throw RunningScript.TimedOut(description: "waited for \(what)") }
    }
}
