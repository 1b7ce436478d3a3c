import SystemCalls

/// Tasks that change a value do so one after the other, and so do tasks that read it: however many there are, a task
/// takes a thread of the library only when its turn has come.
///
/// Where the thread does all of the work, it gives the turn to the next task as soon as that is done: what its own task
/// needs to go on may be blocked, until that one has had its turn.
extension GroupFile {
    /// In asynchronous code `try read()` would mean the asynchronous one.
    private func readNow() throws(GroupFileError) -> T { try read() }

    /// Like the other `read`, without blocking a cooperative thread.
    ///
    /// - Throws: Also `CancellationError`, if the task is cancelled first.
    @discardableResult
    public nonisolated(nonsending) func read() async throws -> T {
        try GroupFileError.refuseForked()
        let permit = try await mutexes.reads.acquire()
        defer { permit.release() }
        return try await BlockingCall.run(holding: permit) { [self] _ in
            defer { permit.release() }
            return try readNow()
        }
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
            defer { permit.release() }
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
        try await BlockingCall.run(holding: permit) { [self] call in
            defer { permit.release() }
            try remove(call)
        }
    }

    /// Like the other `update`, without blocking a cooperative thread; `body` runs in the caller's isolation.
    ///
    /// - Throws: What `body` throws, unchanged; `CancellationError` if the task is cancelled while it waits for the
    ///   lock; `.timedOut` if `lockTimeout` ends first; `.notDurable` if the value is published nevertheless; else why
    ///   nothing was written.
    @discardableResult
    public nonisolated(nonsending) func update<R>(_ body: (inout T) throws -> R) async throws -> R {
        try await update(suspending: { value, begin in
            try begin()
            return try body(&value)
        })
    }

    /// Like the other `update`, with a body that may suspend. The lock is held meanwhile: a call that blocks, for the
    /// same value, must not block the actor to which the body returns, or both wait for ever, or until `lockTimeout`.
    ///
    /// A `Task` started within `body` counts as part of it while `body` runs: changing the same value there throws
    /// `.nested`. A detached task waits for the lock.
    ///
    /// - Throws: What `body` throws, unchanged; `CancellationError` if the task is cancelled while it waits for the
    ///   lock; `.timedOut` if `lockTimeout` ends first; `.notDurable` if the value is published nevertheless; else why
    ///   nothing was written.
    @discardableResult
    public nonisolated(nonsending) func update<R>(
        _ body: nonisolated(nonsending) (inout T) async throws -> R
    ) async throws -> R {
        try await update(suspending: { value, begin in
            try begin()
            return try await body(&value)
        })
    }

    /// Thrown if the body could not begin, because what it needs to run is blocked.
    private struct Revoked: Error {}

    /// The body first calls the function that it is given, where it runs: only there it is certain that nothing blocks
    /// it.
    private nonisolated(nonsending) func update<R>(
        suspending body: nonisolated(nonsending) (inout T, _ begin: () throws(Revoked) -> Void) async throws -> R
    ) async throws -> R {
        let permit = try await acquireMutex()
        defer { permit.release() }
        var lost: GroupFileError?
        // Released after the lock: a `deinit` may want it.
        var values: (T, T)?
        defer { withExtendedLifetime(values) {} }
        var (attempts, revocations) = (0, 0)
        while attempts < Attempts.most {
            do {
                let claimed = try await BlockingCall.run(holding: permit) { [self, revocations] call in
                    try claimValue(call, afterRevocations: revocations)
                }
                let (transaction, claim) = (claimed.transaction, claimed.claim)
                defer { claim.release() }
                var value = claimed.value
                defer { values = (claimed.value, value) }
                // A scope of its own for the body: a task that was started there may change the value as soon as the
                // body has ended.
                let scope = UpdateScope(transaction.core, mutex: mutexes.changes)
                let result = try await scope.run {
                    try await body(&value) { () throws(Revoked) in
                        if !transaction.core.claims.begin(claim) { throw Revoked() }
                    }
                }
                try await BlockingCall.run(holding: permit, isCancellable: false) { [self, value] _ in
                    // At once: somebody may wait for the lock, and block what this task needs to go on.
                    defer { claim.release() }
                    try attempt(transaction, isPublished: { _ in true }) { () throws(GroupFileError) in
                        try UpdateScope(transaction.core).run { () throws(GroupFileError) in
                            try publishUpdate(value, over: claimed.content, transaction)
                        }
                    }
                }
                return result
            } catch FailedAttempt.failed(let error) {
                throw error
            } catch FailedAttempt.retry(let error) {
                lost = error
                attempts += 1
            } catch is Revoked {
                revocations += 1
            }
        }
        throw lost ?? keepsChanging
    }

    /// Prepares an update before its body begins. Codecs run within the update, too.
    private func claimValue(_ call: BlockingCall, afterRevocations count: Int) throws -> ClaimedValue<T> {
        let transaction = try begin(call)
        do throws(FailedAttempt) {
            let found = try attempt(transaction, isPublished: { _ in false }) { () throws(GroupFileError) in
                try UpdateScope(transaction.core).run { () throws(GroupFileError) in try readSettled(transaction) }
            }
            return ClaimedValue(
                transaction: transaction,
                claim: transaction.core.claims.add(transaction.lock, afterRevocations: count), value: found.value,
                content: found.content)
        } catch {
            transaction.lock.release()
            throw error
        }
    }

    /// Waits until no other task is about to change the value through this object, for no longer than the lock may
    /// take. A task that would wait for itself is refused before that.
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

/// A value whose lock is held for an update.
private struct ClaimedValue<Value: Sendable>: Sendable {
    let transaction: Transaction
    let claim: LockClaim
    let value: Value
    let content: Content
}
