import FileEvents
import Synchronization
import SystemCalls

/// A value in a directory: one regular file, never a symbolic link.
///
/// 1. It is *read*; while it is missing, its name is *awaited*.
/// 2. For a change it is *locked*: a lock is *acquired* and *checked*, and what a killed writer left is *swept*.
/// 3. A lock that has become stale is *closed*; the change starts over, with another one.
final class DirectoryFile: StoredFile {
    private struct State {
        /// The paths, as they were built last.
        var paths = (directory: "", file: "")
        /// The file that this process published last, if a look can tell whether it is still there.
        var written: WrittenFile?
        /// Made for the first change: most values are only read.
        var temporaryNames: TemporaryNames?
    }

    let name: String
    private let directory: DirectoryCore
    /// Guards all that changes, but for ``isMissing``.
    private let state = Guarded(State())
    /// Whether the file was missing when it was last looked for. Changed under the core's lock.
    private let isMissing = Atomic(false)

    init(_ name: String, in directory: DirectoryCore) {
        self.directory = directory
        self.name = name
    }

    deinit {
        if isMissing.load(ordering: .relaxed), !CurrentProcess.isForked {
            directory.missing.remove(ObjectIdentifier(self))
        }
    }

    private func takeTemporaryName() -> TemporaryName {
        TemporaryName(
            state.withLock { state in
                var names = state.temporaryNames.take() ?? TemporaryNames(for: name)
                defer { state.temporaryNames = names }
                return names.take()
            }, of: self)
    }

    func giveBack(_ temporaryName: Int) {
        state.withLock { $0.temporaryNames?.giveBack(temporaryName) }
    }

    var path: String {
        let directory = directory.path
        return state.withLock { state in
            // To the file system two spellings of é are two names.
            if ExactName(state.paths.directory) != ExactName(directory) {
                state.paths = (directory, directory + "/" + name)
            }
            return state.paths.file
        }
    }

    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        let written = written
        var found = RegularFile.read(path, limit: limit, unless: written)
        // The file that was written never comes back, and its content takes up memory.
        if let written, found.content != written.content { mayHaveChanged() }
        // Watch for the name first, then look again: a file that is created in between is found.
        if case .missing = found.content, awaitName() { found = RegularFile.read(path, limit: limit) }
        if isMissing.load(ordering: .relaxed), found.content.isThere {
            isMissing.store(false, ordering: .relaxed)
            directory.missing.remove(ObjectIdentifier(self))
        }
        return found
    }

    var written: WrittenFile? { state.withLock(\.written) }

    /// Called under the core's lock.
    func notePublished(_ file: PreparedFile) {
        let written = directory.times.arePrecise ? WrittenFile(file, published: FileClock.now) : nil
        state.withLock { $0.written = written }
    }

    func nameIsGone() {
        _ = awaitName()
    }

    func mayHaveChanged() { state.withLock { $0.written = nil } }

    var hasWaitingEvents: Bool { EventBarrier.isNeeded }

    func checkPlace() {
        directory.missing.followElsewhere()
    }

    /// True if the file has to be looked for again.
    private func awaitName() -> Bool {
        isMissing.store(true, ordering: .relaxed)
        return directory.missing.insert(ObjectIdentifier(self))
    }

    func fingerprint() -> Fingerprint? {
        do throws(Errno) {
            return try Path.linkStatus(of: path).fingerprint
        } catch {
            return nil
        }
    }

    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock {
        let lock = try directory.lock(of: name, for: request)
        switch try acquire(lock, request, isWorthless) {
        case .held(let held):
            return held
        case .timedOut:
            directory.keepAwaited(lock)
            // Nobody waits for the answer, and finding the holder takes a look at each process.
            if request.isCancelled || request.isTentative {
                throw .lockTimedOut(path, after: request.timeout, holder: nil, next: nil)
            }
            throw .lockTimedOut(path, after: request.timeout, holder: lock.holder, next: lock.turns.turnHolder)
        case .stale:
            lock.unlock()
            directory.closeLocks()
            throw .exchangedJustNow(path)
        }
    }

    private enum Acquired {
        case held(DirectoryFileLock)
        case timedOut
        /// Somebody has removed or exchanged its file: it locks nothing any more.
        case stale
    }

    private func acquire(
        _ lock: ValueLock, _ request: borrowing LockRequest, _ isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> Acquired {
        let limit = request.limit
        do throws(Errno) {
            guard try lock.acquire(request) else { return .timedOut }
            let temporaryName = takeTemporaryName()
            let isCurrent = try lock.isCurrent(
                in: request.container ?? directory.path, temporaryName: temporaryName.text
            ) { left throws(Errno) in
                try RejectedContent.sweep(
                    left, of: name, in: lock.control, limit: limit, isWorthless: isWorthless)
            }
            if !isCurrent { return .stale }
            return .held(
                DirectoryFileLock(
                    lock, of: self, in: directory, temporaryName: temporaryName, sharing: request.sharing))
        } catch .noEntry {
            return .stale  // Removed with the control directory.
        } catch {
            throw directory.lockFailure(error, name)
        }
    }
}
