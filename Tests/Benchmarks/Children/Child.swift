import SystemCalls

/// A process that the bench has started. Its output is read when the bench asks for it, so that nobody wakes up while
/// something is measured. The process is killed and waited for at the latest when this object is released.
final class Child {
    /// Just before the process was made.
    let start: Moment
    private let name: String
    private let process: ChildProcess
    private let interrupts: Interrupts
    private var ends: PipeEnds
    private var unread: [UInt8] = []
    private var ending: ChildProcess.Ending?

    /// This program in another role.
    convenience init(
        _ role: Role, _ operands: [String], environment: [(String, String)], input: StartSignal?,
        _ interrupts: Interrupts
    ) throws {
        try self.init(
            [CurrentProcess.executable, "child", role.rawValue] + operands, name: role.rawValue,
            environment: environment, input: input, interrupts)
    }

    /// Any command.
    init(
        _ command: [String], name: String, environment: [(String, String)] = [], input: StartSignal? = nil,
        _ interrupts: Interrupts
    ) throws {
        self.name = name
        self.interrupts = interrupts
        ends = try PipeEnds()
        let input = try input ?? StartSignal(isGiven: true)
        let environment = [("SWIFT_BACKTRACE", "enable=no")] + environment
        start = .now
        do throws(Errno) {
            process = try ChildProcess.spawn(
                command, input: input.ends.reading, output: ends.writingEnd, environment: environment,
                leadsGroup: false)
        } catch {
            throw Failure(description: "cannot start \(command[0]): \(error)")
        }
        ends.closeWriting()
    }

    deinit {
        end()
    }

    var status: ProcessStatus { ProcessStatus(process: "\(process.identifier)") }

    /// The next line that it prints.
    func line(within limit: Duration = Interrupts.patience) throws -> String {
        let deadline = Moment.now + limit
        while true {
            if let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<newline], as: UTF8.self)
                unread.removeFirst(newline + 1)
                return line
            }
            if try !readMore(until: deadline) { throw try ended("before it printed what was to come") }
        }
    }

    /// All that it prints, until it ends by itself and with success.
    func output(within limit: Duration = Interrupts.patience) throws -> [UInt8] {
        let deadline = Moment.now + limit
        while try readMore(until: deadline) {}
        try waitForSuccess(until: deadline)
        return unread
    }

    /// When the process ended, which it must do by itself and with success.
    @discardableResult
    func waitForSuccess(until deadline: Moment = .now + Interrupts.patience) throws -> Moment {
        guard let ending = try interrupts.wait(for: process, until: deadline) else {
            throw Failure(description: "\(name) did not end within \(Interrupts.patience)")
        }
        let now = Moment.now
        self.ending = ending
        if ending != .exited(0) { throw try ended("unexpectedly") }
        return now
    }

    /// Throws if the process has ended; for one whose output nobody reads.
    func checkIsAlive() throws {
        if ending == nil { ending = try process.poll() }
        if ending != nil { throw try ended("unexpectedly") }
    }

    func end() {
        if ending != nil { return }
        do {
            try process.send(.kill)
            ending = try process.wait()
        } catch {
            Benchmarks.complain("cannot end \(name), process \(process.identifier): \(error)")
        }
    }

    /// False at the end of the output.
    private func readMore(until deadline: Moment) throws -> Bool {
        guard try interrupts.wait(forReading: ends.reading.rawValue, until: deadline) else {
            throw Failure(description: "\(name) printed nothing for \(Interrupts.patience)")
        }
        let bytes = try ends.read()
        unread += bytes
        return !bytes.isEmpty
    }

    private func ended(_ when: String) throws -> Failure {
        if ending == nil { ending = try interrupts.wait(for: process, until: .now + Interrupts.patience) }
        switch ending {
        case .exited(let code): return Failure(description: "\(name) ended \(when), with code \(code)")
        case .signalled(let signal): return Failure(description: "\(name) ended \(when), by signal \(signal.rawValue)")
        case nil: return Failure(description: "\(name) closed its output, and goes on")
        }
    }
}

/// The standard input of children that begin at the same time: they begin when it ends.
final class StartSignal {
    fileprivate var ends: PipeEnds

    init(isGiven: Bool = false) throws {
        ends = try PipeEnds()
        if isGiven { give() }
    }

    func give() {
        ends.closeWriting()
    }
}
