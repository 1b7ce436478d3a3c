import GroupFiles
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

    /// One line on standard error.
    static func complain(_ message: String) {
        let line = "watch-value: \(message.oneLine)\n"
        // Where this cannot be told, there is nobody to tell it to; the exit code remains.
        do throws(Errno) { try StandardStream.error.writeAll(Array(line.utf8)) } catch {}
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
