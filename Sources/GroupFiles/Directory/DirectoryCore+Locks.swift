import SystemCalls

/// The locks of the directory's values. A lock that nobody uses is kept open for the next change.
extension DirectoryCore {
    /// The lock of a value, open and not held: one that was kept, or a new one. A lock for whose turn a thread waits is
    /// reused, so that no second thread waits. A lock that a helper still waits for is reused only for a bounded
    /// request, which waits through that helper: otherwise two threads would lock through one descriptor.
    func lock(of name: String, for request: LockRequest) throws(GroupFileError) -> ValueLock {
        while let waiting = state.withLock({ $0.takeWaiting(name, isBounded: request.isBounded) }) {
            // The file of this lock may have been removed, and somebody may hold the removed file for ever.
            if waiting.isInPlace, waiting.serves(request.sharing) { return waiting }
        }
        let kept = LockCache.shared.take(name, of: ObjectIdentifier(self))
        if let kept, kept.serves(request.sharing) { return kept }
        let path = path
        let (known, control) = state.withLock { ($0.directory, $0.control) }
        do throws(Errno) {
            let directory: Directory
            if let known { directory = known } else { directory = try Directory(path: path) }
            if directory.identity == identity {
                let lock = try ValueLock(name, in: directory, control: control, sharing: request.sharing)
                state.withLock {
                    ($0.directory, $0.control, $0.pinned) = (lock.directory, lock.control, lock.directory)
                }
                return lock
            }
        } catch {
            throw lockFailure(error, name)
        }
        throw .exchangedJustNow(path)
    }

    /// Why the value cannot be locked.
    func lockFailure(_ error: Errno, _ name: String) -> GroupFileError {
        let refusal = error.isExhaustion ? nil : ControlDirectory.refusal(in: path, of: name)
        return GroupFileError(
            error, path: path + "/" + name, "lock the value in \(ControlDirectory.name)",
            advice: refusal?.advice)
    }

    /// Keeps an unlocked lock open for the next change.
    func keep(_ lock: ValueLock) {
        if lock.isInherited { return }
        if !keepBlocked(lock) { LockCache.shared.keep(lock, of: ObjectIdentifier(self)) }
    }

    /// Keeps a lock that could not be acquired in time and that a helper still waits for, so that the next caller needs
    /// no second helper.
    func keepAwaited(_ lock: ValueLock) {
        if lock.isInherited || keep(lock, in: \.awaited, until: { lock.turns.callWhenHelperHasEnded($0) }) { return }
        keepBlocked(lock)
    }

    /// Keeps a lock for whose turn a thread waits; false if none does.
    @discardableResult
    private func keepBlocked(_ lock: ValueLock) -> Bool {
        lock.turns.isTurnBlocked && keep(lock, in: \.blocked, until: { lock.turns.callWhenTurnIsFree($0) })
    }

    /// Keeps a lock for as long as a thread waits for it or for its turn; false if none does. This object stays until
    /// then, even if nobody has one of its values open between two attempts.
    private func keep(
        _ lock: ValueLock, in place: any WritableKeyPath<State, Locks> & Sendable,
        until ends: (_ end: @escaping @Sendable () -> Void) -> Bool
    ) -> Bool {
        let name = ExactName(lock.name)
        return state.withLock { state in
            let isWaiting = ends { [self, weak lock] in
                // Returned, so that the locks are closed outside of the mutex.
                let locks = self.state.withLock { state -> [ValueLock] in
                    let locks = state[keyPath: place].removeValue(forKey: name) ?? []
                    let others = locks.filter { $0 !== lock }
                    if !others.isEmpty { state[keyPath: place][name] = others }
                    return locks
                }
                if let lock, locks.contains(where: { $0 === lock }) { keepBlocked(lock) }
            }
            if isWaiting { state[keyPath: place][name, default: []].append(lock) }
            return isWaiting
        }
    }

    /// Closes the locks that are kept open. Locks that are opened from now on look up their directories anew.
    func closeLocks() {
        state.withLock { ($0.directory, $0.control) = (nil, nil) }
        LockCache.shared.close(of: ObjectIdentifier(self))
    }
}
