import FileEvents
import SystemCalls

/// The files of a directory that were looked for and are not there. While there are any, the kernel is asked to tell of
/// new names, and of the directory's own end.
///
/// Only a name that is missing can be made. Where every file is there a new name is somebody's temporary file: nobody need
/// wake up for it. And no directory can be removed while a file is in it; when it is, it does not tell so itself before
/// everybody has left it who has it open or stands in it.
final class MissingFiles: Sendable {
    private struct State {
        /// By which the directory is watched, once for each who does.
        var paths: [String] = []
        var files: Set<ObjectIdentifier> = []
    }

    private let directory: FileIdentity
    /// Guards all that changes. Under it the kernel is asked, so that it is told whenever `files` has one.
    private let state = Guarded(State())
    private let newNames = NameInterest(.create)
    /// In the directory's parent.
    private let removals = NameInterest(.delete)

    init(of directory: FileIdentity) {
        self.directory = directory
    }

    /// Somebody watches the directory by this path, until he leaves it.
    func follow(_ path: String) {
        state.withLock { $0.paths.append(path) }
    }

    func leave(_ path: String) {
        state.withLock { state in
            let index = state.paths.lastIndex { ExactName($0) == ExactName(path) }
            if let index { state.paths.remove(at: index) }
            if state.paths.isEmpty { endInterest() }
        }
    }

    /// The file was not found, or its name was removed: from here on it is told when it is made. True where that was not so
    /// until now: it may have been made already, and has to be looked for again.
    func insert(_ file: ObjectIdentifier) -> Bool {
        state.withLock { state in
            let isInserted = state.files.insert(file).inserted
            guard let path = state.paths.last else { return false }
            beginRemovals(of: path)
            // Asked for each time: it was lost where the descriptor was, or where the path had led elsewhere for a while.
            return newNames.begin(in: path) || isInserted
        }
    }

    /// The file was found, or nobody looks for it any more.
    func remove(_ file: ObjectIdentifier) {
        state.withLock { state in
            state.files.remove(file)
            if state.files.isEmpty { endInterest() }
        }
    }

    private func endInterest() {
        newNames.end()
        removals.end()
    }

    private func beginRemovals(of path: String) {
        guard let parent = Path.beforeLastSlash(path), removals.begin(in: parent.isEmpty ? "/" : parent) else { return }
        do throws(Errno) {
            if try Path.linkStatus(of: path).identity == directory { return }
        } catch {
            // It is gone, as it seems: whoever follows the path finds out.
        }
        removals.tellMissed(Path.afterLastSlash(path))
    }
}
