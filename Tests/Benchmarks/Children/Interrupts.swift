import SystemCalls

/// A signal that asked this process to end.
struct Interrupted: Error {
    let signal: Signal
}

/// What did not work, in a sentence.
struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// Where the bench waits: for a child's output or end, or for a time to pass. A signal ends each wait with an error, so
/// that children and folders are removed on the way out.
///
/// Only the main thread uses it. Make it before anything else: it blocks the signals.
final class Interrupts {
    /// How long anything that must come may take.
    static let patience = Duration.seconds(20)

    private let signals: SignalReader

    init() throws {
        let asking: [Signal] = [.interrupt, .terminate, .hangup]
        signals = try SignalReader(asking.filter { !$0.isIgnored } + [.child])
        Signal.brokenPipe.block()
    }

    /// False if there was nothing to read until then.
    func wait(forReading descriptor: Int32, until moment: Moment) throws -> Bool {
        while true {
            var entries = [Poll.Entry(signals.descriptor.rawValue, .readable), Poll.Entry(descriptor, .readable)]
            guard try Poll.wait(&entries, until: moment) else { return false }
            try check()
            if entries[1].isReady { return true }
        }
    }

    /// Nil if the child has not ended until then.
    func wait(for child: ChildProcess, until moment: Moment) throws -> ChildProcess.Ending? {
        while true {
            if let ending = try child.poll() { return ending }
            var entries = [Poll.Entry(signals.descriptor.rawValue, .readable)]
            guard try Poll.wait(&entries, until: moment) else { return nil }
            try check()
        }
    }

    func sleep(_ duration: Duration) throws {
        let end = Moment.now + duration
        var entries = [Poll.Entry(signals.descriptor.rawValue, .readable)]
        while try Poll.wait(&entries, until: end) { try check() }
    }

    private func check() throws {
        while let (signal, _) = try signals.next() {
            if signal != .child { throw Interrupted(signal: signal) }
        }
    }
}
