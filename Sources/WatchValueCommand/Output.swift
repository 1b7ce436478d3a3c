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

    /// What it means that standard output takes no more: a closed pipe ends it quietly.
    static func check(_ error: Errno) throws(Failure) {
        switch error {
        case .wouldBlock: return
        case .brokenPipe: throw .quiet(ExitCode.done.rawValue)
        default: throw Failure(error, "write to standard output")
        }
    }

    /// How long a complaint waits for room.
    private static let patience = Duration.seconds(1)
    /// The last complaint found none: the next one does not wait.
    private static let isStuck = Atomic(false)

    /// One line on standard error. Where nobody takes it, as in a pipe whose reader hangs or on a terminal that was stopped,
    /// it is lost: values, signals and the lock's next holder do not wait for it.
    static func complain(_ message: String) {
        let line = "watch-value: \(message.oneLine)\n"
        let patience = isStuck.load(ordering: .relaxed) ? .zero : patience
        do throws(Errno) {
            let isWritten = try StandardStream.error.writeAll(Array(line.utf8), until: .now + patience)
            isStuck.store(!isWritten, ordering: .relaxed)
        } catch {}  // There is nobody to tell it to; the exit code remains.
    }

    /// What is told on standard error, whatever is printed.
    static func complain(of event: WatchEvent, about name: String) {
        if let complaint = complaint(event, about: name) { complain(complaint) }
    }

    static func complaint(_ event: WatchEvent, about name: String) -> String? {
        switch event {
        case .invalid(let error): "\(name): \(error.sentence)"
        case .polling(let reason): "\(name): polling, so that changes are seen late: \(reason)"
        case .value, .missing, .live: nil
        }
    }
}
