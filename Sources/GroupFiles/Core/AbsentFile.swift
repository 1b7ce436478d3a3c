import SystemCalls

/// What stands for a value's file where there is no directory: nothing.
final class AbsentFile: StoredFile {
    let path: String

    /// Why the path leads nowhere, where that is no want of a directory. When it is another reason, or none, another file
    /// stands for the value's.
    private let refusal: Errno?
    private let isInContainer: Bool

    init(path: String, refusal: Errno? = nil, isInContainer: Bool = false) {
        self.path = path
        self.refusal = refusal
        self.isInContainer = isInContainer
    }

    /// Not to be able to look is another thing than that there is nothing.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        // What is in a container's place does not go away by itself.
        if isInContainer, refusal == .notDirectory { return (.unreadable(.failed(.notDirectory)), nil) }
        do throws(Errno) {
            if let refusal { throw refusal }
            _ = try Path.linkStatus(of: path)
            return (.missing, nil)
        } catch .noEntry {
            return (.missing, nil)
        } catch .notDirectory {
            return (.missing, nil)  // The way to it leads nowhere.
        } catch {
            return (.unreadable(.failed(error)), nil)
        }
    }

    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock {
        // Nobody comes here: who changes a value has its store make the directory first, and lead to a file there.
        throw .exchangedJustNow(path)
    }
}
