import SystemCalls

/// A value in memory.
///
/// 1. Writers *wait* for the lock, first come, first served, and no longer than they want to.
/// 2. The holder *exchanges* the content; readers see the old one or the new one.
/// 3. The holder *hands* the lock to the first waiter.
final class MemoryFile: StoredFile {
    private struct State {
        /// Nil is missing.
        var bytes: [UInt8]?
        var isLocked = false
        /// The threads that wait for the lock. One is taken out when it gets the lock, or takes itself out when its
        /// time is up.
        var waiting: [Semaphore] = []
    }

    let path: String
    /// Reports that the value was created or removed. Called under the core's lock, so it only passes that on.
    private let existenceChanged: @Sendable (_ isThere: Bool) -> Void
    /// Guards all that changes; nothing is called under it.
    private let state = Guarded(State())

    init(path: String, existenceChanged: @escaping @Sendable (_ isThere: Bool) -> Void) {
        self.path = path
        self.existenceChanged = existenceChanged
    }

    // MARK: Reading

    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        guard let bytes = state.withLock(\.bytes) else { return (.missing, nil) }
        return (bytes.count > limit ? .unreadable(.tooLarge(bytes.count)) : .bytes(bytes), nil)
    }

    // MARK: The lock

    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock {
        let waiter = state.withLock { state -> Semaphore? in
            if !state.isLocked {
                state.isLocked = true
                return nil
            }
            let waiter = Semaphore()
            state.waiting.append(waiter)
            return waiter
        }
        if let waiter, !waiter.wait(until: .after(request.remaining)) {
            let hasGivenUp = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else { return false }
                state.waiting.remove(at: index)
                return true
            }
            if hasGivenUp {
                throw .lockTimedOut(
                    path, after: request.timeout, "another thread holds it; wait for it to finish")
            }
        }
        return MemoryFileLock(self)
    }

    func unlock() {
        let next = state.withLock { state -> Semaphore? in
            if state.waiting.isEmpty {
                state.isLocked = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.signal()
    }

    // MARK: Changes, by the holder of the lock

    /// Returns the old content. `.create` replaces nothing, and returns the content that stays.
    func exchange(_ bytes: [UInt8]?, _ mode: CommitMode) -> [UInt8]? {
        let old = state.withLock { state -> [UInt8]? in
            let old = state.bytes
            if mode == .replace || old == nil { state.bytes = bytes }
            return old
        }
        if (old == nil) != (bytes == nil) { existenceChanged(bytes != nil) }
        return old
    }
}
