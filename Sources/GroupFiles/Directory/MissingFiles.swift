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
        /// Who watches the directory.
        var followers: [Follower] = []
        var files: Set<ObjectIdentifier> = []
    }

    private struct Follower {
        let path: String
        let id: ObjectIdentifier
        weak let store: (any ContentStore)?
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

    /// The `store` watches the directory by this path, until it leaves it.
    func follow(_ path: String, _ store: any ContentStore) {
        state.withLock { $0.followers.append(Follower(path: path, id: ObjectIdentifier(store), store: store)) }
    }

    func leave(_ path: String, _ id: ObjectIdentifier) {
        state.withLock { state in
            let index = state.followers.lastIndex { $0.id == id && ExactName($0.path) == ExactName(path) }
            if let index { state.followers.remove(at: index) }
            if state.followers.isEmpty { endInterest() }
        }
    }

    /// The file was not found, or its name was removed: from here on it is told when it is made. True where that was not so
    /// until now: it may have been made already, and has to be looked for again.
    func insert(_ file: ObjectIdentifier) -> Bool {
        state.withLock { state in
            let isInserted = state.files.insert(file).inserted
            guard let path = state.followers.last?.path else { return false }
            beginRemovals(state.followers)
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

    /// The control directory was removed: the directory itself may go now.
    func controlDirectoryIsGone() {
        state.withLock { state in
            if state.files.isEmpty { followElsewhere(state.followers) } else { beginRemovals(state.followers) }
        }
    }

    /// Has the directory's path followed where it leads elsewhere by now. To be asked once a file has been read of which a
    /// name was gone: it may have been found in another directory.
    func followElsewhere() {
        state.withLock { followElsewhere($0.followers) }
    }

    private func endInterest() {
        newNames.end()
        removals.end()
    }

    /// To be told first, then to look: it may have been removed already, and its parent with it, which nobody tells.
    private func beginRemovals(_ followers: [Follower]) {
        guard let path = followers.last?.path, let parent = Path.beforeLastSlash(path) else { return }
        // It goes last, and its own removal is told: until then the parent would only tell of strangers.
        if !hasControlDirectory(path) { _ = removals.begin(in: parent.isEmpty ? "/" : parent) }
        followElsewhere(followers)
    }

    private func hasControlDirectory(_ path: String) -> Bool {
        do throws(Errno) {
            return try Path.linkStatus(of: path + "/" + ControlDirectory.name).kind == .directory
        } catch {
            return false
        }
    }

    private func followElsewhere(_ followers: [Follower]) {
        guard let path = followers.last?.path else { return }
        do throws(Errno) {
            if try Path.linkStatus(of: path).identity == directory { return }
        } catch {
            // It is gone, as it seems: whoever follows the path finds out.
        }
        for follower in followers { ThreadPool.shared.execute { follower.store?.followPath() } }
    }
}
