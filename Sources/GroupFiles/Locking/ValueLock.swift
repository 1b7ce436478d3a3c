import SystemCalls

/// The lock of one value: `<name>.lock` in the control directory, open.
///
/// 1. It is *acquired*: at once, or after ``LockTurns``.
/// 2. Once held it is *checked*: the path must still lead to this very file, which was opened before the wait.
/// 3. What a killed holder left is *swept*: the file names it; see ``LockRecord``.
/// 4. It is *unlocked*, and may be taken again.
final class ValueLock: Sendable {
    private struct State {
        var record = LockRecord()
        /// The path of the lock file when it was last checked, and the container's path from which that was built.
        var place = (container: "", path: "")
        /// When it was taken last.
        var heldSince: Moment?
    }

    /// Nanoseconds. A lock that was held for longer is checked before a change relies on it. Most changes take less,
    /// and save the check.
    private static let isSafeFor: Int64 = 10_000_000

    let name: String
    /// Pinned while the lock is open.
    let directory: Directory
    /// Likewise. Opened only once: what takes its place meanwhile, such as a link, cannot redirect us.
    let control: Directory
    /// How the lock itself is shared. In a container for a group, a caller that makes values for their owner alone must
    /// lock nobody out.
    let sharing: Sharing
    private let lock: FileLock
    /// How it is waited for.
    let turns: LockTurns
    private let identity: FileIdentity
    private let forkCount: UInt32
    /// One thread at a time uses a lock; this makes it visible to the next.
    private let state = Guarded(State())

    /// Opens it, and creates what is missing; nothing is locked yet. Without `sharing` it is shared as the directory
    /// is.
    init(_ name: String, in directory: Directory, control pinned: Directory?, sharing: Sharing?) throws(Errno) {
        let sharing = sharing == .group ? .group : Sharing(permissions: directory.permissions)
        self.name = name
        self.directory = directory
        self.sharing = sharing
        forkCount = CurrentProcess.forkCount
        var control = pinned
        var opened: FileLock?
        for _ in 0..<Attempts.most where opened == nil {
            let entered: Directory
            if let control {
                entered = control
            } else {
                entered = try ControlDirectory.open(in: directory, sharing: sharing)
            }
            control = entered
            try ControlDirectory.widen(entered, for: sharing, in: directory)
            do throws(Errno) {
                opened = try FileLock.open(
                    ControlName.lock(ofValue: name), in: entered, sharing, group: directory.group)
            } catch .noEntry {
                control = nil  // It was removed.
            }
        }
        guard let control, let opened else { throw .noEntry }
        self.control = control
        lock = opened
        identity = try opened.descriptor.status().identity
        turns = LockTurns(for: opened, of: name, in: control, sharing: sharing, group: directory.group)
    }

    /// Whether a change may take it: everybody who is to open files with this `sharing` can open its file, and no child
    /// has it open.
    func serves(_ sharing: Sharing?) -> Bool { !isInherited && (self.sharing == .group || sharing != .group) }

    /// Whether a child that was forked since has it open, too: the child would keep the lock if this process is killed,
    /// and must have no part in changes that began after the fork.
    var isInherited: Bool { forkCount != CurrentProcess.forkCount }

    /// Whether it was held for long enough for somebody to remove its file, or to move the directory away, and that has
    /// happened: then another process may hold the lock, too, or the path leads to another value.
    var isLost: Bool {
        let (heldSince, place) = state.withLock { ($0.heldSince, $0.place.path) }
        if let heldSince, heldSince.advanced(byNanoseconds: Self.isSafeFor) >= .now { return false }
        do throws(Errno) { return try Path.linkStatus(of: place).identity != identity } catch { return true }
    }

    /// Whether its file still has its name, as far as can be told.
    var isInPlace: Bool {
        do throws(Errno) {
            return try directory.status(of: "\(ControlDirectory.name)/\(ControlName.lock(ofValue: name))").identity
                == identity
        } catch {
            return false
        }
    }

    // MARK: Holding

    /// Waits for the lock; false if the time ran out, or the call was cancelled.
    func acquire(_ request: LockRequest) throws(Errno) -> Bool {
        // An unused lock is kept open for a moment only, so one that was taken this long ago was held for nearly as
        // long.
        if let taken = state.withLock({ $0.heldSince.take() }),
            taken.advanced(byNanoseconds: LockTurns.longHold) < .now
        {
            try turns.letOthersFirst(request)
        }
        return try turns.acquire(request)
    }

    /// Whether the container's path leads to this file; if not, somebody has removed or exchanged it, the control
    /// directory, or the container. Takes one system call. Also sweeps what killed holders may have left; `sweep`
    /// returns false for what this user may not remove.
    func isCurrent(
        in container: String, temporaryName: String, sweep: (_ left: String) throws(Errno) -> Bool
    ) throws(Errno) -> Bool {
        let place = state.withLock { state in
            state.heldSince = .now
            if ExactName(state.place.container) != ExactName(container) {
                state.place = (container, "\(container)/\(ControlDirectory.name)/\(ControlName.lock(ofValue: name))")
            }
            return state.place.path
        }
        let status: FileStatus
        do throws(Errno) {
            status = try Path.linkStatus(of: place)
        } catch  where error.isNotFound {
            return false
        }
        guard status.identity == identity else { return false }
        try readRecord(status.fingerprint, own: temporaryName, sweep)
        return true
    }

    /// Sweeps what killed holders may have left. Only the holder of the lock has a temporary file, so that no living
    /// writer's file is ever removed.
    private func readRecord(
        _ status: Fingerprint, own: String, _ sweep: (_ left: String) throws(Errno) -> Bool
    ) throws(Errno) {
        let isOutdated = turns.noteLook(status)
        let isKnown = state.withLock { $0.record.noteLook(status, own: own) }
        if isKnown, !isOutdated { return }
        let start = try lock.descriptor.readStart(LockRecord.longest)
        let (length, left) = state.withLock { $0.record.noteRead(start, status, own: own) }
        if isOutdated { try lock.descriptor.truncate(to: length) }
        var unswept: [String] = []
        for name in left {
            let isSwept = (try sweep(name), try sweep(ControlName.old(beside: name)))
            if isSwept != (true, true) { unswept.append(name) }
        }
        state.withLock { [unswept] in $0.record.noteUnswept(unswept) }
    }

    /// Stores our temporary file's name in the lock file, for the next holder. Called before that file is created, and
    /// writes only if needed: a change that creates no file takes no room on a full disk.
    func record(temporary own: String) throws(Errno) {
        let newLine = state.withLock { $0.record.names(own) ? nil : $0.record.line(naming: own) }
        guard let line = newLine else { return }
        try lock.descriptor.writeStart(line)
        state.withLock { $0.record.noteWritten(own) }
        // A mark stays: somebody may have waited only since the lock was taken.
        let size = try lock.descriptor.status().size
        if size > line.count, !LockTurns.isMark(size) { try lock.descriptor.truncate(to: line.count) }
    }

    /// Whether the lock file still named our temporary file when it was checked.
    var isUndisturbed: Bool { state.withLock(\.record.isUndisturbed) }

    func unlock() {
        lock.unlock()
    }

    /// Who holds it, as far as that can be told.
    var holder: LockHolder? { lock.holder() }
}
