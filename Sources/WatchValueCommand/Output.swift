import GroupFiles
import Synchronization
import SystemCalls

/// What is printed, and where.
enum Output {
    /// To standard output.
    static func write(_ bytes: [UInt8]) throws(Failure) {
        do throws(Errno) {
            try StandardStream.output.writeAll(bytes)
        } catch {
            try check(error)
        }
    }

    static func write(_ text: String) throws(Failure) {
        try write(Array(text.utf8))
    }

    /// Decides what a failed write to standard output means: a closed pipe ends the command quietly.
    static func check(_ error: Errno) throws(Failure) {
        switch error {
        case .wouldBlock: return
        case .brokenPipe: throw .quiet(.done)
        default: throw Failure(error, "write to standard output")
        }
    }

    /// How long a complaint waits for room.
    private static let patience = Duration.seconds(1)
    /// Whether the last complaint found no room: then the next one does not wait.
    private static let isStuck = Atomic(false)

    /// Prints one line on standard error. If nobody reads it, as with a pipe whose reader hangs or a terminal that is
    /// stopped, the line is lost, so that values, signals and the next holder of the lock need not wait for it.
    static func complain(_ message: String) {
        let line = "watch-value: \(message.oneLine)\n"
        let patience = isStuck.load(ordering: .relaxed) ? .zero : patience
        do throws(Errno) {
            let isWritten = try StandardStream.error.writeAll(Array(line.utf8), until: .now + patience)
            isStuck.store(!isWritten, ordering: .relaxed)
        } catch {}  // There is nowhere to report it; the exit code remains.
    }

    /// Complains about the event if it calls for that, in whatever form values are printed.
    static func complain(of event: WatchEvent, about name: String) {
        if let complaint = complaint(event, about: name) { complain(complaint) }
    }

    static func complaint(_ event: WatchEvent, about name: String) -> String? {
        switch event {
        case .invalid(let error, let isNew): isNew ? "\(name): \(error.sentence)" : nil
        case .polling(let reason): "\(name): polling, so changes are noticed late: \(reason)"
        case .value, .missing, .live: nil
        }
    }
}
