import GroupFiles
import JSONText
import SystemCalls

/// `update NAME -- COMMAND…`: COMMAND makes the new value from the old one, while no other program that takes the lock
/// can change it.
///
/// 1. A thread *waits* for the lock, *runs* COMMAND under it, and *writes* what COMMAND has printed.
/// 2. The main thread waits for signals. Before COMMAND runs, a signal *ends* this process at once; afterwards the
///    signal is *passed on* to COMMAND, and what that prints is discarded.
struct UpdateCommand {
    private let arguments: Arguments
    private let program: Program
    private let location: Location
    private let lockTimeout: Duration?

    init(_ arguments: Arguments) throws(Failure) {
        self.arguments = arguments
        program = Program(words: arguments.program)
        location = try Location(arguments.operands[0], arguments)
        lockTimeout = try arguments.timeout()
    }

    func run() throws(Failure) {
        let heldLocks = try HeldLocks()
        let interruptible = try Interruptible()
        let file = try interruptible.look { () throws(Failure) in
            try location.openForWriting(
                durability: arguments.durability, lockTimeout: lockTimeout, notifies: true, checking: heldLocks)
        }
        let progress = try running { () throws(Errno) in try UpdateProgress() }
        let environment = heldLocks.environment(adding: file)
        defer { progress.reap() }
        try interruptible.run(about: location) { () throws(Failure) in
            try update(file, environment, progress, interruptible)
        } onSignal: { signal throws(Failure) in
            switch progress.interrupt(signal) {
            case .atOnce: throw endedAsItWas(signal)
            case .child(let child):
                try Failure.wrapping("end \(program.name)", about: location.name) { () throws(Errno) in
                    // A signal from the terminal has already reached COMMAND, but COMMAND may be stopped.
                    if signal.isFromTerminal { try child.send(.resume) } else { try child.sendWaking(signal.signal) }
                }
            case .whenStarted: break
            }
        }
        if let signal = progress.signal { throw .signalled(signal) }
    }

    private func update(
        _ file: GroupFile<JSONDocument>, _ environment: [(String, String)], _ progress: UpdateProgress,
        _ interruptible: Interruptible
    ) throws(Failure) {
        do {
            try file.update { document throws in
                document = try output(for: document, environment, progress, interruptible)
            }
        } catch let failure as Failure {
            throw failure
        } catch let error as GroupFileError {
            throw Failure(error, about: location.name)
        } catch {
            throw Failure(ExitCode.inputOutput, "\(error)", about: location.name)
        }
    }

    /// What COMMAND prints for the value.
    private func output(
        for document: JSONDocument, _ environment: [(String, String)], _ progress: UpdateProgress,
        _ interruptible: Interruptible
    ) throws(Failure) -> JSONDocument {
        var pipe = try running { () throws(Errno) in try PipeEnds() }
        if let signal = progress.starting() { throw .signalled(signal) }
        let child = try program.start(
            document.value, output: pipe.writingEnd, environment: environment + location.environment,
            leadsGroup: false, about: location.name)
        pipe.closeWriting()
        if let signal = progress.started(child) {
            try running { () throws(Errno) in try child.sendWaking(signal.signal) }
        }
        let bytes = try printed(pipe, progress)
        let ending = try running { () throws(Errno) in
            if bytes.count > JSONDocument.mostBytes { try child.send(.kill) }
            // COMMAND keeps its ID until it is reaped, so that a signal that comes just now goes to no other process.
            return try child.waitWithoutReaping()
        }
        // Ctrl-C may have ended COMMAND before this process has noted the signal.
        interruptible.waitForSignals()
        if let signal = progress.signal { throw endedAsItWas(signal) }
        if bytes.count > JSONDocument.mostBytes {
            throw contentAsItWas("\(program.name) printed more than \(JSONDocument.mostBytes) bytes")
        }
        if !ending.isSuccess {
            throw .ended(ending, "\(program.name) \(ending.sentence); the value is unchanged", about: location.name)
        }
        if bytes.isEmpty, document.value == nil {
            throw Failure(
                .badContent, "there is no value yet, and \(program.name) printed nothing", about: location.name)
        }
        do throws(JSONTextError) {
            let printed = try JSONDocument(parsing: bytes)
            // COMMAND printed what it got: the file stays as it is, whatever surrounds the value, and however it is
            // written.
            if let value = document.value, printed.text == JSONDocument.compact(value) { return document }
            return printed
        } catch {
            throw contentAsItWas(
                bytes.isEmpty ? "\(program.name) printed nothing" : "\(program.name) did not print JSON: \(error)")
        }
    }

    /// Reads what COMMAND prints, to the end or until it is too much. Stops at once when a signal comes: processes that
    /// COMMAND has started may keep the output open for long, and the lock would be held as long. What they print later
    /// goes to a closed pipe.
    private func printed(_ pipe: consuming PipeEnds, _ progress: UpdateProgress) throws(Failure) -> [UInt8] {
        try running { () throws(Errno) in
            var bytes: [UInt8] = []
            while bytes.count <= JSONDocument.mostBytes {
                var entries = [
                    Poll.Entry(pipe.reading.rawValue, .readable),
                    Poll.Entry(progress.signalled.descriptor.rawValue, .readable),
                ]
                _ = try Poll.wait(&entries, until: nil)
                if entries[1].isReady { break }
                let some = try pipe.read()
                if some.isEmpty { break }
                bytes += some
            }
            return bytes
        }
    }

    private func running<R: ~Copyable>(_ call: () throws(Errno) -> R) throws(Failure) -> R {
        try Failure.wrapping("run \(program.name)", about: location.name, call)
    }

    private func endedAsItWas(_ signal: EndingSignal) -> Failure {
        .signalled(signal, "\(location.name): ended by signal \(signal.signal.rawValue); the value is unchanged")
    }

    private func contentAsItWas(_ message: String) -> Failure {
        let sentence = message.hasSuffix(".") ? message.dropLast() : message[...]
        return Failure(.badContent, "\(sentence); the value is unchanged", about: location.name)
    }
}
