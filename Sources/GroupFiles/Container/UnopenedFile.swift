import SystemCalls

/// Stands for a value's file while its container cannot be opened.
final class UnopenedFile: StoredFile {
    private let error: GroupFileError

    init(_ error: GroupFileError) {
        self.error = error
    }

    var path: String { error.path ?? "" }

    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) { (.unreadable(.noPlace(error)), nil) }
    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock {
        throw error
    }
}
