import SystemCalls

/// Stands for a value's file while there is no directory: reads as missing, or says why nothing can be read.
final class AbsentFile: StoredFile {
    let path: String

    /// Why the path leads nowhere, unless there is simply no directory. If the reason changes, another object takes this
    /// one's place.
    private let refusal: Errno?
    private let isInContainer: Bool

    init(path: String, refusal: Errno? = nil, isInContainer: Bool = false) {
        self.path = path
        self.refusal = refusal
        self.isInContainer = isInContainer
    }

    /// "Missing" and "cannot be looked at" are told apart, by what the walk along the path found: what a look of our own
    /// found, a moment later, nobody would look at again.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        if let refusal, !isMissing { (.unreadable(.failed(refusal)), nil) } else { (.missing, nil) }
    }

    /// False if that cannot be told.
    var isMissing: Bool {
        guard let refusal else { return true }
        // What is in the container's place does not go away by itself.
        return refusal.isNotFound && !(isInContainer && refusal == .notDirectory)
    }

    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock {
        // Never called: before a change the store creates the directory, and attaches the value to a file there.
        throw .exchangedJustNow(path)
    }
}
