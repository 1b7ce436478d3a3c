import SystemCalls

/// What stands for a value's file where there is no directory: nothing.
final class AbsentFile: StoredFile {
    let path: String

    init(path: String) {
        self.path = path
    }

    /// Not to be allowed to look is another thing than that there is nothing.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        do throws(Errno) {
            _ = try Path.linkStatus(of: path)
        } catch .accessDenied {
            return (.unreadable(.failed(.accessDenied)), nil)
        } catch {
            // Nothing, or a way to it that leads nowhere.
        }
        return (.missing, nil)
    }

    func fingerprint() -> Fingerprint? { nil }

    func lock(timeout: Duration?, through container: String?) throws(GroupFileError) -> any StoredFileLock {
        throw GroupFileError(.noContainer, path: path, "there is no such container; make it first")
    }
}
