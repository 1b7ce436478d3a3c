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

    /// "Missing" and "cannot be looked at" are told apart.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        // What is in the container's place does not go away by itself.
        if isInContainer, refusal == .notDirectory { return (.unreadable(.failed(.notDirectory)), nil) }
        do throws(Errno) {
            if let refusal { throw refusal }
            _ = try Path.linkStatus(of: path)
            return (.missing, nil)
        } catch  where error.isNotFound {
            return (.missing, nil)
        } catch {
            return (.unreadable(.failed(error)), nil)
        }
    }

    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock {
        // Never called: before a change the store creates the directory, and attaches the value to a file there.
        throw .exchangedJustNow(path)
    }
}
