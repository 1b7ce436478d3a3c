import SystemCalls

/// Stands in for a value's file while there is no directory, or none that can be opened. Reading it gives "missing", or
/// the reason why nothing can be read. If that changes, another object takes this one's place.
final class AbsentFile: StoredFile {
    let path: String
    private let content: Content

    init(path: String, content: Content = .missing) {
        self.path = path
        self.content = content
    }

    /// The walk along the path tells "missing" from "cannot be looked at". A look made here would come a moment later,
    /// and nobody would repeat it once its result is out of date.
    ///
    /// - Parameter refusal: Why the path leads nowhere, unless there is simply no directory.
    convenience init(path: String, refusal: Errno?, isInContainer: Bool) {
        var content = Content.missing
        // What is in the container's place does not go away by itself.
        if let refusal, !refusal.isNotFound || (isInContainer && refusal == .notDirectory) {
            content = .unreadable(Content.Obstacle(refusal, at: path))
        }
        self.init(path: path, content: content)
    }

    /// False if it is not known whether the file is missing.
    var isMissing: Bool { content == .missing }

    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) { (content, nil) }

    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock {
        // Never called: before a change the store creates the directory, and attaches the value to a file there.
        throw .exchangedJustNow(path)
    }
}
