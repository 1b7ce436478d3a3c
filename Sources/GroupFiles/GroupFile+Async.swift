extension GroupFile {
    /// In asynchronous code the other one's name alone would mean the asynchronous one.
    private func readNow() throws(GroupFileError) -> T { try read() }

    /// As the other `read`, without blocking a cooperative thread.
    @discardableResult
    public nonisolated(nonsending) func read() async throws -> T {
        try await LockWait.run { [self] _ in try readNow() }
    }

    /// As the other `write`, without blocking a cooperative thread.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits for the lock; nothing is written then.
    public nonisolated(nonsending) func write(_ value: T) async throws {
        let encoding = try encode(value)
        try await LockWait.run { [self] waiting in
            try change(waiting) { transaction throws(GroupFileError) in
                try publishOver(value, encoding, transaction)
            }
        }
    }

    /// As the other `remove`, without blocking a cooperative thread.
    public nonisolated(nonsending) func remove() async throws {
        try await LockWait.run { [self] waiting in
            try change(waiting) { transaction throws(GroupFileError) in
                try remove(transaction)
            }
        }
    }

    /// As the other `update`, without blocking a cooperative thread; `body` runs in the caller's isolation.
    ///
    /// - Throws: What `body` throws, unchanged; `CancellationError` if the task is cancelled while it waits for the lock.
    @discardableResult
    public nonisolated(nonsending) func update<R>(_ body: (inout T) throws -> R) async throws -> R {
        try await update(suspending: { value in try body(&value) })
    }

    /// As the other `update`, with a body that may suspend: the lock is held meanwhile.
    ///
    /// A `Task` that is started within `body` counts as within it while `body` runs: a change of the same value there throws
    /// `.nested`. One that is detached waits for the lock.
    @discardableResult
    public nonisolated(nonsending) func update<R>(
        _ body: nonisolated(nonsending) (inout T) async throws -> R
    ) async throws -> R {
        try await update(suspending: body)
    }

    private nonisolated(nonsending) func update<R>(
        suspending body: nonisolated(nonsending) (inout T) async throws -> R
    ) async throws -> R {
        for _ in 0..<mostAttempts {
            let transaction = try await LockWait.run { [self] waiting in try begin(waiting) }
            defer { transaction.lock.release() }
            var (value, old) = try await LockWait.run(isCancellable: false) { [self] _ in
                try readSettled(transaction)
            }
            let result = try await UpdateScope(transaction.core).run { try await body(&value) }
            let isPublished = try await LockWait.run(isCancellable: false) { [self, value, old] _ in
                do throws(GroupFileError) {
                    try publishUpdate(value, over: old, transaction)
                } catch {
                    if error.code == .directoryKeepsChanging { return false }
                    throw error
                }
                return store.leads(self, to: transaction.core)
            }
            if isPublished { return result }
        }
        throw keepsChanging
    }
}
