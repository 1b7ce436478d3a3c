import SystemCalls

/// A value of a directory, with its lock held: how it is changed.
///
/// 1. The bytes are *prepared* in a temporary file, synced where that is asked for.
/// 2. They are *committed* by a ``NameExchange``, after which what was displaced is still there.
/// 3. What was displaced is *finished*: thrown away, or kept for its user.
final class DirectoryFileLock: StoredFileLock {
    private struct State {
        /// There is a temporary file that is not published.
        var hasTemporary = false
        /// The name that the displaced file has now: the temporary file's, or the second one; see ``NameExchange``.
        var displaced: String?
        /// What was read through this lock, and the file's fingerprint then.
        var read: (content: Content, fingerprint: Fingerprint?)?
        /// The content and status of the file that is to be replaced, if this process wrote it, or read it through this
        /// lock.
        var known: DisplacedFile.Known?
        /// The file that was prepared.
        var prepared: PreparedFile?
        /// Everything succeeded, so the lock may be reused.
        var isReusable = false
    }

    private let lock: ValueLock
    private let file: DirectoryFile
    private let directoryCore: DirectoryCore
    /// The temporary file's name in the control directory.
    private let temporary: String
    /// Reserved until the lock is released, so that no other thread uses the name.
    private let temporaryName: Guarded<TemporaryName?>
    /// How new files are shared; nil means like their directory.
    private let sharing: Sharing?
    /// One thread at a time uses a lock; this makes it visible to the next.
    private let state = Guarded(State())

    init(
        _ lock: ValueLock, of file: DirectoryFile, in directoryCore: DirectoryCore,
        temporaryName: consuming sending TemporaryName, sharing: Sharing?
    ) {
        self.lock = lock
        self.file = file
        self.directoryCore = directoryCore
        temporary = temporaryName.text
        self.temporaryName = Guarded(temporaryName)
        self.sharing = sharing
    }

    private var name: String { lock.name }
    /// For errors.
    private var path: String { file.path }
    private var directory: Directory { lock.directory }
    private var control: Directory { lock.control }

    var isUndisturbed: Bool { lock.isUndisturbed }
    var isLost: Bool { lock.isLost }

    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        let found = RegularFile.read(name, in: directory, limit: limit, unless: file.written)
        state.withLock { $0.read = found }
        return found
    }

    /// Looks at the old file last, and copies its permissions after that: the sync takes a while, and somebody may
    /// narrow them meanwhile.
    func prepare(_ bytes: [UInt8], durability: Durability) throws(GroupFileError) -> Fingerprint? {
        let file = try writing { () throws(Errno) in
            let file = try makeTemporary(holding: bytes)
            if durability != .relaxed { try file.descriptor.sync() }
            return file
        }
        let existing = try lookBefore()
        let permissions = try writing { () throws(Errno) in
            if let existing {
                try file.setOwnership(like: existing, at: path, in: control)
            } else {
                try file.setOwnership(for: sharing ?? Sharing(permissions: directory.permissions), in: directory)
            }
        }
        let prepared = PreparedFile(
            .bytes(bytes), file.made, permissions: permissions, replacedGroup: existing?.group ?? 0)
        let written = self.file.written
        state.withLock { state in
            state.prepared = prepared
            guard let existing else { return }
            if let written, written.isUnchanged(existing) {
                state.known = DisplacedFile.Known(written.content, existing, isOwn: true)
            } else if let read = state.read, read.fingerprint == existing.fingerprint {
                state.known = DisplacedFile.Known(read.content, existing, isOwn: false)
            }
        }
        return existing?.fingerprint
    }

    private func writing<Result: ~Copyable>(_ body: () throws(Errno) -> Result) throws(GroupFileError) -> Result {
        do throws(Errno) { return try body() } catch { throw failure(error, "write the value") }
    }

    func commit(_ mode: CommitMode) throws(GroupFileError) -> Bool {
        if lock.isLost { throw failure(.noEntry, "publish the value") }
        var exchange = NameExchange(temporary, in: control, with: name, in: directory)
        let result = Result { () throws(Errno) in try exchange.publish(mode) }
        let prepared = state.withLock { state in
            (state.hasTemporary, state.displaced) = (exchange.hasTemporary, exchange.displaced)
            return state.prepared
        }
        do throws(Errno) {
            guard try result.get() else { return false }
        } catch .notSupported {
            throw failure(.notSupported, "exchange names or link files to publish the value")
        } catch {
            if error == .exists { retireNames() }
            throw failure(error, "publish the value")
        }
        if let prepared { file.notePublished(prepared) }
        // The temporary file was linked to the value's name, and still has its own.
        if exchange.hasTemporary { abandon() }
        return true
    }

    /// Why nothing was published. ENOENT means that the lock was lost.
    private func failure(_ error: Errno, _ action: String) -> GroupFileError {
        abandon()
        if error == .noEntry { return .lockLost(path) }
        let refusal = error == .crossDevice ? ControlDirectory.refusal(in: directoryCore.path, of: nil) : nil
        return GroupFileError(error, path: path, action, advice: refusal?.advice)
    }

    func commitRemoval() throws(GroupFileError) {
        let isThere = try lookBefore() != nil
        if lock.isLost { throw failure(.noEntry, "remove the value") }
        if !isThere { return }
        do throws(Errno) {
            try directory.unlink(name)
        } catch .noEntry {
            return
        } catch {
            throw GroupFileError(error, path: path, "remove the value")
        }
    }

    func finish(
        durability: Durability, limit: Int, expected: Content, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> String? {
        var kept: String?
        var refusal: Errno?
        if let displaced {
            var status: FileStatus?
            do throws(Errno) { status = try displaced.narrowSuccessor() } catch { refusal = error }
            if let own = displaced.ownContent(lookedAt: status), isWorthless(own) {
                abandon()
            } else if case .bytes(let bytes) = expected, RegularFile.holds(bytes, displaced.place, in: control),
                isWorthless(expected)
            {
                abandon()
            } else {
                kept = try judge(displaced, limit, isWorthless)
            }
        }
        if durability == .durable {
            do throws(Errno) {
                try directory.sync()
            } catch {
                throw .notSynced(path, error)
            }
        }
        if let refusal { throw .notNarrowed(path, refusal) }
        state.withLock { $0.isReusable = true }
        return kept
    }

    private var displaced: DisplacedFile? {
        let (place, prepared, known) = state.withLock { ($0.displaced, $0.prepared, $0.known) }
        guard let place, let prepared else { return nil }
        return DisplacedFile(place: place, lock: lock, file: file, successor: prepared, known: known)
    }

    /// Returns the displaced file's name if it is kept; nil if the same was kept before.
    private func judge(
        _ displaced: DisplacedFile, _ limit: Int, _ isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> String? {
        switch displaced.dispose(limit: limit, isWorthless: isWorthless) {
        case .worthless:
            abandon()
            return nil
        case .kept(let kept):
            state.withLock { $0 = State() }
            return kept
        case .putBack(let error):
            abandon()
            throw error
        case .left(let error):
            state.withLock { $0 = State() }
            retireNames()
            throw error
        }
    }

    func drop(_ kept: String) {
        // If that fails, one more file is kept.
        do throws(Errno) { try control.unlink(kept) } catch {}
    }

    func abandon() {
        // In a forked child the files are the parent's.
        if CurrentProcess.isForked { return }
        let (hadTemporary, displaced) = state.withLock { state in
            defer { state = State() }
            return (state.hasTemporary, state.displaced)
        }
        // If one cannot be removed now, the next writer sweeps it: the lock file names it.
        if hadTemporary { unlink(temporary) }
        if let displaced { unlink(displaced) }
    }

    private func unlink(_ own: String) {
        do throws(Errno) {
            try control.unlink(own)
        } catch .noEntry {
            // Somebody else removed it.
        } catch {
            retireNames()
        }
    }

    /// A file remains under one of our names. The next write takes other names, and sweeps these like a killed
    /// writer's.
    private func retireNames() {
        temporaryName.withLock { $0?.retire() }
    }

    func release() {
        // Most changes have removed their files by now.
        let (isReusable, hasFiles) = state.withLock { ($0.isReusable, $0.hasTemporary || $0.displaced != nil) }
        if hasFiles { abandon() }
        // Given back before the lock is free: the next holder then takes the same name, finds it in the lock file
        // already, and need not write it.
        temporaryName.withLock { $0 = nil }
        lock.unlock()
        // If its turn is blocked, a thread waits for that, and a new lock would need another thread.
        if !CurrentProcess.isForked, isReusable || lock.turns.isTurnBlocked { directoryCore.keep(lock) }
    }

    // MARK: Preparing

    /// The status of the file in the value's place; nil if there is none. Throws if it is not a regular file.
    private func lookBefore() throws(GroupFileError) -> FileStatus? {
        let status: FileStatus
        do throws(Errno) {
            status = try directory.status(of: name)
        } catch .noEntry {
            return nil
        } catch {
            throw GroupFileError(error, path: path, "look at the value")
        }
        if status.kind != .regular { throw .notRegular(path, status.kind) }
        return status
    }

    private func makeTemporary(holding bytes: [UInt8]) throws(Errno) -> TemporaryFile {
        try lock.record(temporary: temporary)
        state.withLock { $0.hasTemporary = true }
        do throws(Errno) {
            return try TemporaryFile(
                temporary, in: control, for: lock.sharing, holding: bytes, judging: directoryCore.times)
        } catch .exists {
            // The file is not ours, and may be anybody's.
            state.withLock { $0.hasTemporary = false }
            retireNames()
            throw .exists
        }
    }
}
