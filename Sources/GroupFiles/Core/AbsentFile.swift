import FileEvents
import SystemCalls

/// What stands for a value's file where there is no directory: nothing.
final class AbsentFile: StoredFile {
    let path: String

    /// Knows why the path leads nowhere, where it is followed.
    private let watch: PathWatch?
    private let isInContainer: Bool

    init(path: String, watch: PathWatch? = nil, isInContainer: Bool = false) {
        self.path = path
        self.watch = watch
        self.isInContainer = isInContainer
    }

    /// Not to be able to look is another thing than that there is nothing.
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        let refusal = watch?.refusal
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
        throw GroupFileError(.noContainer, path: path, "there is no such container; make it first")
    }
}
