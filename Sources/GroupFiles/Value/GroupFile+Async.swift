import SystemCalls

/// Tasks that change a value do so one after the other, and so do those that read it: however many there are, each
/// takes a thread of the library only once it has their mutex.
extension GroupFile {
    /// In asynchronous code `try read()` means the asynchronous one.
    private func readNow() throws(GroupFileError) -> T { try read() }

    /// Like the other `read`, without blocking a cooperative thread.
    ///
    /// - Throws: Also `CancellationError`, if the task is cancelled first.
    @discardableResult
    public nonisolated(nonsending) func read() async throws -> T {
        try GroupFileError.refuseForked()
        let permit = try await mutexes.reads.acquire()
        defer { permit.release() }
        return try await BlockingCall.run(holding: permit) { [self] _ in try readNow() }
    }

    /// Like the other `write`, without blocking a cooperative thread.
    ///
    /// - Throws: Also `CancellationError`, if the task is cancelled while waiting for the lock. Nothing has been
    ///   written then, except perhaps in a directory that was replaced by another one during the call.
    public nonisolated(nonsending) func write(_ value: T) async throws {
        let encoding = try encode(value)
        let permit = try await acquireMutex()
        defer { permit.release() }
        try await BlockingCall.run(holding: permit) { [self] call in
            // Released after the lock: a `deinit` may want it.
            let old = channel.current
            defer { withExtendedLifetime(old) {} }
            try change(call) { transaction throws(GroupFileError) in
                try publishOver(value, encoding, transaction)
            }
        }
    }

    /// Like the other `remove`, without blocking a cooperative thread.
    ///
    /// - Throws: Also `CancellationError`, if the task is cancelled while waiting for the lock. Nothing has been
    ///   removed then, except perhaps from a directory that was replaced by another one during the call.
    public nonisolated(nonsending) func remove() async throws {
        let permit = try await acquireMutex()
        defer { permit.release() }
        try await BlockingCall.run(holding: permit) { [self] call in try remove(call) }
    }

    /// Like the other `update`, without blocking a cooperative thread; `body` runs in the caller's isolation.
    ///
    /// - Throws: What `body` throws, unchanged; `CancellationError` if the task is cancelled while it waits for the lock;
    ///   `.timedOut` if `lockTimeout` ends first; `.notDurable` if the value is published nevertheless; else why nothing
    ///   was written.
    @discardableResult
    public nonisolated(nonsending) func update<R>(_ body: (inout T) throws -> R) async throws -> R {
        try await update(suspending: { value in try body(&value) })
    }

    /// Like the other `update`, with a body that may suspend; the lock is held meanwhile.
    ///
    /// A `Task` started within `body` counts as part of it while `body` runs: changing the same value there throws
    /// `.nested`. A detached task waits for the lock.
    ///
    /// - Throws: What `body` throws, unchanged; `CancellationError` if the task is cancelled while it waits for the lock;
    ///   `.timedOut` if `lockTimeout` ends first; `.notDurable` if the value is published nevertheless; else why nothing
    ///   was written.
    @discardableResult
    public nonisolated(nonsending) func update<R>(
        _ body: nonisolated(nonsending) (inout T) async throws -> R
    ) async throws -> R {
        try await update(suspending: body)
    }

    private nonisolated(nonsending) func update<R>(
        suspending body: nonisolated(nonsending) (inout T) async throws -> R
    ) async throws -> R {
        let permit = try await acquireMutex()
        defer { permit.release() }
        var lost: GroupFileError?
        // Released after the lock: a `deinit` may want it.
        var values: (T, T)?
        defer { withExtendedLifetime(values) {} }
        for _ in 0..<Attempts.most {
            let transaction = try await BlockingCall.run(holding: permit) { [self] call in try begin(call) }
            defer { transaction.lock.release() }
            do {
                // Codecs are within the update, too. A scope of its own for the body: a task that was started there may
                // change the value as soon as the body has ended.
                let found = try await attemptPart(of: transaction, permit, publishes: false) {
                    [self] () throws(GroupFileError) in
                    try readSettled(transaction)
                }
                var value = found.value
                defer { values = (found.value, value) }
                let scope = UpdateScope(transaction.core, mutex: mutexes.changes)
                let result = try await scope.run { try await body(&value) }
                try await attemptPart(of: transaction, permit, publishes: true) {
                    [self, value] () throws(GroupFileError) in
                    try publishUpdate(value, over: found.content, transaction)
                }
                return result
            } catch FailedAttempt.failed(let error) {
                throw error
            } catch FailedAttempt.retry(let error) {
                lost = error
            }
        }
        throw lost ?? keepsChanging
    }

    /// A part of an update, on a thread of the library.
    private nonisolated(nonsending) func attemptPart<R: Sendable>(
        of transaction: Transaction, _ permit: AsyncMutex.Permit, publishes: Bool,
        _ work: @escaping @Sendable () throws(GroupFileError) -> R
    ) async throws -> R {
        try await BlockingCall.run(holding: permit, isCancellable: false) { [self] _ in
            try attempt(transaction, isPublished: { _ in publishes }) { () throws(GroupFileError) in
                try UpdateScope(transaction.core).run(work)
            }
        }
    }

    /// Waits until no other task is about to change the value by this object, no longer than for the lock. What would wait
    /// for itself is refused before.
    private nonisolated(nonsending) func acquireMutex() async throws -> AsyncMutex.Permit {
        try refuseChange()
        let mutex = mutexes.changes
        if UpdateScope.contains(attachedCore) || UpdateScope.contains(mutex) { throw GroupFileError.nested(path) }
        do {
            return try await mutex.acquire(timeout: lockTimeout)
        } catch is AsyncMutex.TimedOut {
            throw GroupFileError(
                .timedOut, path: path,
                "could not acquire the lock within \(lockTimeout ?? .zero): another task of this process holds it, or waits for it; wait for it to finish"
            )
        }
    }
}
