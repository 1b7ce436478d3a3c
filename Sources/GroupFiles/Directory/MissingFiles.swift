import FileEvents
import SystemCalls

/// The files of a directory that were looked for and not found. While there are any, the kernel is asked to report new
/// names, and the removal of the directory itself.
///
/// 1. Stores that watch the directory *follow* it here, and *leave* it.
/// 2. A file that is not found is *inserted*: with it the interest in new names, and in the directory's removal,
///    *begins*.
/// 3. A file that is found is *removed*; the interest *ends* with the last one, or with the last store.
///
/// Only a missing name can be created. While every file is there, a new name is somebody's temporary file, for which
/// nobody need wake up. Nor can a directory be removed while a file is in it; once it has been removed, the kernel does
/// not report that before every process has closed it, or has left it as its working directory.
final class MissingFiles: Sendable {
    private struct State {
        /// The stores that watch the directory.
        var followers = Followers()
        var files: Set<ObjectIdentifier> = []
        /// How many stores are still to follow their paths: their jobs have not begun.
        var waiting = 0
        /// Whether all stores are to follow their paths once more after that.
        var isWantedAgain = false
    }

    private let directory: FileIdentity
    /// Guards all that changes. The kernel is asked under it, so that it reports new names whenever `files` has one.
    private let state = Guarded(State())
    private let newNames = NameInterest(.create)
    /// In the directory's parent.
    private let removals = NameInterest(.delete)

    /// Runs a job on another thread.
    private let execute: @Sendable (@escaping ThreadPool.Job) -> Void

    init(
        of directory: FileIdentity,
        execute: @escaping @Sendable (@escaping ThreadPool.Job) -> Void = { ThreadPool.shared.execute($0) }
    ) {
        self.directory = directory
        self.execute = execute
    }

    /// The `store` watches the directory by this path, until it calls `leave`.
    func follow(_ path: String, _ store: any ContentStore) {
        state.withLock { $0.followers.add(path, store) }
    }

    func leave(_ path: String, _ id: ObjectIdentifier) {
        state.withLock { state in
            state.followers.remove(path, id)
            if state.followers.isEmpty { endInterest() }
        }
    }

    /// The file was not found, or its name was removed: from here on its creation is reported. True if it was not
    /// reported until now: the file may have been created already, and has to be looked for again.
    func insert(_ file: ObjectIdentifier) -> Bool {
        state.withLock { state in
            let isInserted = state.files.insert(file).inserted
            guard let path = state.followers.lastPath else { return false }
            beginRemovals(&state)
            // Asked for each time: the interest is lost with the inotify descriptor, or if the path leads elsewhere for
            // a while.
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

    /// The control directory was removed: the directory itself may be next.
    func controlDirectoryIsGone() {
        state.withLock { state in
            if state.files.isEmpty { followElsewhere(&state) } else { beginRemovals(&state) }
        }
    }

    /// Makes the stores resolve the path again if it leads elsewhere by now. To be called after a file was read whose
    /// name had been removed: it may have been found in another directory.
    func followElsewhere() {
        state.withLock { followElsewhere(&$0) }
    }

    private func endInterest() {
        newNames.end()
        removals.end()
    }

    /// Watch first, then look: the directory may have been removed already, and its parent with it, which the kernel
    /// does not report.
    private func beginRemovals(_ state: inout State) {
        guard let path = state.followers.lastPath, let parent = Path.beforeLastSlash(path) else { return }
        // While the control directory is there, the parent would only report other names: the control directory is
        // removed last, and its removal is reported.
        if !hasControlDirectory(path) { _ = removals.begin(in: parent.isEmpty ? "/" : parent) }
        followElsewhere(&state)
    }

    private func hasControlDirectory(_ path: String) -> Bool {
        do throws(Errno) {
            return try Path.linkStatus(of: path + "/" + ControlDirectory.name).kind == .directory
        } catch {
            return false
        }
    }

    private func followElsewhere(_ state: inout State) {
        guard !state.isWantedAgain, let path = state.followers.lastPath else { return }
        do throws(Errno) {
            if try Path.linkStatus(of: path).identity == directory { return }
        } catch {
            // It seems to be gone: resolving the path will show whether it is.
        }
        // Thousands of files may be missed at once, each followed by a store of its own.
        if state.waiting > 0 { state.isWantedAgain = true } else { followPaths(&state) }
    }

    private func followPaths(_ state: inout State) {
        state.waiting = state.followers.count
        state.isWantedAgain = false
        for follow in state.followers.followings {
            execute { [self] in
                noteBegin()
                follow()
            }
        }
    }

    private func noteBegin() {
        state.withLock { state in
            state.waiting -= 1
            if state.waiting == 0, state.isWantedAgain { followPaths(&state) }
        }
    }
}
