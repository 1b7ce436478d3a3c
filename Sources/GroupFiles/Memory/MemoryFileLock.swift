import SystemCalls

/// A value in memory, with its lock held.
final class MemoryFileLock: StoredFileLock {
    private struct State {
        var prepared: [UInt8]?
        var displaced: [UInt8]?
    }

    private let file: MemoryFile
    /// One thread at a time uses a lock; this makes it visible to the next.
    private let state = Guarded(State())

    init(_ file: MemoryFile) {
        self.file = file
    }

    var isUndisturbed: Bool { false }
    var isLost: Bool { false }
    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) { file.read(limit: limit) }

    func prepare(_ bytes: [UInt8], durability: Durability) throws(GroupFileError) -> Fingerprint? {
        state.withLock { $0 = State(prepared: bytes) }
        return nil
    }

    func commit(_ mode: CommitMode) throws(GroupFileError) -> Bool {
        let prepared = state.withLock { $0.prepared.take() }
        let displaced = file.exchange(prepared, mode)
        if mode == .create { return displaced == nil }
        state.withLock { $0.displaced = displaced }
        return true
    }

    func commitRemoval() throws(GroupFileError) {
        _ = file.exchange(nil, .replace)
    }

    func finish(
        durability: Durability, limit: Int, expected: Content, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> String? {
        // Judged because the caller wants to know; nobody could get at what would be kept.
        if let displaced = state.withLock({ $0.displaced.take() }) { _ = isWorthless(.bytes(displaced)) }
        return nil
    }

    /// Never needed: here nothing changes the value between reading it and publishing.
    func drop(_ kept: String) {}

    func abandon() {
        state.withLock { $0 = State() }
    }

    func release() {
        abandon()
        file.unlock()
    }
}
