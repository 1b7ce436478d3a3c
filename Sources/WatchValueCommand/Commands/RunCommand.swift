import JSONText
import SystemCalls

/// `watch NAME -- COMMAND…`: runs COMMAND at each change.
///
/// 1. The main thread *looks* at the value; then the library *offers* its changes.
/// 2. A detector *decides* what is new, and a queue for which value COMMAND *runs* next.
/// 3. COMMAND leads a process group of its own, which *ends* with this process.
struct RunCommand {
    /// How long COMMAND may take to end once it has been asked to.
    private static let grace = Duration.seconds(2)

    private let arguments: Arguments
    private let program: Program
    private let location: Location
    private let loop: MainLoop
    private let mostRuns: Int?
    private let timeout: Duration?
    private var detector: ChangeDetector
    private var queue: RunQueue
    private var child: ChildProcess?
    /// Whether COMMAND was asked to end for a newer value.
    private var isStopped = false
    /// When a COMMAND that was asked to end is killed.
    private var killMoment: Moment?
    /// Does not count runs that were stopped for a newer value.
    private var runs = 0

    init(_ arguments: Arguments) throws(Failure) {
        self.arguments = arguments
        program = Program(words: arguments.program)
        if arguments.operands.count > 1 {
            let advice = Hint.command(arguments) ?? "run watch-value once for each"
            throw Failure(.usage, "COMMAND takes only one NAME; \(advice)")
        }
        for option in [Option.raw, .pretty, .events, .diff, .plot] where arguments.has(option) {
            throw Failure(.usage, "\(option.flag) is for printing; COMMAND gets compact JSON")
        }
        location = try Location(arguments.operands[0], arguments)
        mostRuns = try arguments.count()
        timeout = try arguments.timeout()
        detector = ChangeDetector(part: try arguments.part(), tellsAll: false)
        queue = RunQueue(arguments.choice(.onBusy) ?? .queue)
        loop = try MainLoop()
    }

    func run() throws(Failure) {
        var run = self
        let result = Result { () throws(Failure) in try run.untilTheEnd() }
        let ending = Result { () throws(Failure) in try run.endChild() }
        // The reason for ending takes precedence over later errors.
        try result.get()
        try ending.get()
    }

    private mutating func untilTheEnd() throws(Failure) {
        let deadline = timeout.map { Moment.now + $0 }
        let watching = try WatchedValues.open([location], loop, arguments, within: timeout)
        for (snapshot, hint) in watching.initial {
            try tell(snapshot, isInitial: true)
            Hint.complain(hint, about: location)
        }
        watching.begin()
        while true {
            switch try loop.wait(until: [deadline, killMoment].compactMap(\.self).min()) {
            case .ended(let signal): throw .signalled(signal)
            case .outputClosed: return
            case .woken: for (_, snapshot) in watching.take() { try tell(snapshot, isInitial: false) }
            case .signal:
                if try childMayHaveEnded() { return }
                try complainIfStopped()
            case .timedOut:
                if let deadline, deadline <= .now {
                    let progress = mostRuns.map { " with \(runs) of \($0) runs" } ?? ""
                    throw .timedOut(arguments, progress, about: location.name)
                }
                killMoment = nil
                try kill()
            }
        }
    }

    private mutating func tell(_ snapshot: Snapshot, isInitial: Bool) throws(Failure) {
        for event in detector.events(snapshot) {
            Output.complain(of: event, about: location.name)
            if isInitial, arguments.has(.noInitial) { continue }
            switch event {
            case .value(let value): try perform(queue.changed(value))
            case .missing where !isInitial: try perform(queue.changed(nil))
            case .missing, .invalid, .polling, .live: break
            }
        }
    }

    private mutating func perform(_ action: RunQueue.Action?) throws(Failure) {
        switch action {
        case .start(let value):
            child = try program.start(
                value, environment: location.environment, leadsGroup: true, about: location.name)
        case .stop:
            // A run that has just ended by itself was not stopped: it counts, and what it has started is left alone.
            guard let running = child, try !hasEnded(running) else { return }
            try askToEnd()
            isStopped = true
            killMoment = .now + Self.grace
        case nil: break
        }
    }

    /// Returns true after the last run.
    private mutating func childMayHaveEnded() throws(Failure) -> Bool {
        guard let running = child, try hasEnded(running) else { return false }
        let wasStopped = isStopped
        // Otherwise, what COMMAND has started would continue beside the next run.
        if wasStopped { try kill() }
        let ending = try ending(of: running)
        child = nil
        isStopped = false
        killMoment = nil
        if !wasStopped {
            runs += 1
            if !ending.isSuccess {
                let failure = Failure.ended(ending, "\(program.name) \(ending.sentence)", about: location.name)
                if arguments.has(.exitOnError) { throw failure }
                Output.complain(failure.message)
            }
            if let mostRuns, runs >= mostRuns { return true }
        }
        try perform(queue.ended(wasStopped: wasStopped))
        return false
    }

    // MARK: Its processes

    /// Whether it has ended. Signals can be sent to its group until ``ending(of:)`` is called.
    private func hasEnded(_ child: ChildProcess) throws(Failure) -> Bool {
        try waiting { () throws(Errno) in try child.hasEnded() }
    }

    private func ending(of child: ChildProcess) throws(Failure) -> ChildProcess.Ending {
        try waiting { () throws(Errno) in try child.wait() }
    }

    private func waiting<R>(_ call: () throws(Errno) -> R) throws(Failure) -> R {
        try Failure.wrapping("wait for \(program.name)", about: location.name, call)
    }

    /// COMMAND leads a group in the background: the terminal may stop it, and nothing else would report that.
    private func complainIfStopped() throws(Failure) {
        guard let child else { return }
        let signal = try waiting { () throws(Errno) in try child.stoppingSignal() }
        switch signal {
        case .terminalInput: complain("reads from")
        case .terminalOutput: complain("writes to, or sets,")
        default: break
        }
        func complain(_ verb: String) {
            Output.complain(
                "\(location.name): \(program.name) is stopped, because it \(verb) the terminal in the background")
        }
    }

    private func kill() throws(Failure) {
        try signalling { child throws(Errno) in try child.send(.kill) }
    }

    private func askToEnd() throws(Failure) {
        try signalling { child throws(Errno) in try child.sendWaking(.terminate) }
    }

    private func signalling(_ body: (ChildProcess) throws(Errno) -> Void) throws(Failure) {
        guard let child else { return }
        try Failure.wrapping("end \(program.name)", about: location.name) { () throws(Errno) in try body(child) }
    }

    /// Ends the whole group: asks first, kills what is left.
    private mutating func endChild() throws(Failure) {
        guard let running = child else { return }
        try askToEnd()
        let moment = Moment.now + Self.grace
        while try !hasEnded(running) {
            switch try loop.wait(until: moment) {
            case .timedOut, .ended, .outputClosed:
                if moment > .now { continue }
                try kill()
                return
            case .signal, .woken: continue
            }
        }
        try kill()
        _ = try ending(of: running)
    }
}
