import SystemCalls

/// What stands for a value's file where there is no directory: nothing.
final class AbsentFile: StoredFile {
    let path: String

    init(path: String) {
        self.path = path
    }

    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) { (.missing, nil) }
    func fingerprint() -> Fingerprint? { nil }

    func lock(timeout: Duration?) throws(GroupFileError) -> any StoredFileLock {
        throw GroupFileError(.noContainer, path: path, "there is no such container; make it first")
    }
}
