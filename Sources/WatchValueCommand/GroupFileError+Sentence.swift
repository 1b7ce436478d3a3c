import GroupFiles
import SystemCalls

extension GroupFileError {
    /// Without the path: `7:12: what happened and what to do`.
    var sentence: String {
        let place = line.map { "\($0):\(column ?? 1): " } ?? ""
        return place + commandMessage + (codingPath.map { " (at \($0))" } ?? "")
    }

    private var commandMessage: String {
        // Advice to raise the limit is for callers of the library.
        if code == .tooLarge { return event + " by watch-value, whose limit is fixed" }
        // The advice repeats the error's text, and says what is not a directory.
        guard errno == Errno.notDirectory.rawValue, message.contains(" is not a directory") else { return message }
        return message.replacing("\(Errno.notDirectory); ", with: "", maxReplacements: 1)
    }
}
