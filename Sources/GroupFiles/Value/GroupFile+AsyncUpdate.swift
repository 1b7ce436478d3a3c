import SystemCalls

/// An update by a task: a thread of the library takes the lock and reads the value, the body runs where the task does,
/// and a thread publishes the changed value. If the body cannot begin because its actor is blocked, others get the lock
/// first, and the update starts over once the actor is reached. If that has happened before, it takes the lock there if
/// it is soon free.
extension GroupFile {
    /// Like the other `update`, without blocking a cooperative thread; `body` runs in the caller's isolation. What
    /// happens while that is blocked, and what may be read there afterwards, is told by <doc:Threading>.
    ///
    /// - Throws: What `body` throws, unchanged; `CancellationError` if the task was cancelled before the call, or is
    ///   while it waits for the lock; `.timedOut` if `lockTimeout` ends first; `.notDurable` if the value is published
    ///   nevertheless; else why nothing was written.
    @discardableResult
    public nonisolated(nonsending) func update<R, Failure: Error>(
        _ body: (inout T) throws(Failure) -> R
    ) async throws -> R {
        try await update(suspending: { value, begin in
            try begin(&value)
            return try body(&value)
        })
    }

    /// Like the other `update`, with a body that may suspend. The lock is held while the body is suspended. A
    /// synchronous call for the same value must therefore not block the actor on which the body resumes, or both wait
    /// for ever, or until `lockTimeout`.
    ///
    /// A `Task` started within `body` counts as part of it while `body` runs: changing the same value there throws
    /// `.nested`. A detached task waits for the lock.
    ///
    /// - Throws: What `body` throws, unchanged; `CancellationError` if the task was cancelled before the call, or is
    ///   while it waits for the lock; `.timedOut` if `lockTimeout` ends first; `.notDurable` if the value is published
    ///   nevertheless; else why nothing was written.
    @discardableResult
    public nonisolated(nonsending) func update<R, Failure: Error>(
        _ body: nonisolated(nonsending) (inout T) async throws(Failure) -> R
    ) async throws -> R {
        try await update(suspending: { value, begin in
            try begin(&value)
            return try await body(&value)
        })
    }

    /// Thrown if the body may not begin.
    private struct StartsOver: Error {
        let wasRevoked: Bool
    }

    /// What one attempt at an update leaves to the next.
    private struct UnfinishedUpdate {
        let place: CallQueue.Place
        /// What is left of the time to wait for the lock; nil is for ever.
        var timeout: Duration?
        var revocations = 0
        /// How often it has let an earlier task go first.
        var stepsBack = 0
    }

    /// An earlier task that does not go on after this many steps back is not waited for: it may have a lower priority.
    private static var mostStepsBack: Int { 10 }

    /// The body first calls `begin`, in the place where it runs, with the value, which may have changed since.
    private nonisolated(nonsending) func update<R>(
        suspending body:
            nonisolated(nonsending) (
                inout T, _ begin: (inout T) throws(StartsOver) -> Void
            ) async throws -> R
    ) async throws -> R {
        try refuseChange()
        let queue = queues.changes
        var progress = UnfinishedUpdate(
            place: queue.newPlace(of: #isolation.map { ObjectIdentifier($0) }), timeout: lockTimeout)
        var isReturning = false
        defer { if isReturning { queue.forgetReturning(progress.place) } }
        var lost: GroupFileError?
        var attempts = 0
        while attempts < Attempts.most {
            do {
                return try await updateOnce(&progress, body)
            } catch FailedAttempt.failed(let error) {
                throw error
            } catch FailedAttempt.retry(let error) {
                lost = error
                attempts += 1
            } catch let start as StartsOver {
                try refuseChange()
                if start.wasRevoked { progress.revocations += 1 } else { progress.stepsBack += 1 }
                isReturning = true
                queue.noteReturning(progress.place)
            }
        }
        throw lost ?? keepsChanging
    }

    private nonisolated(nonsending) func updateOnce<R>(
        _ progress: inout UnfinishedUpdate,
        _ body:
            nonisolated(nonsending) (
                inout T, _ begin: (inout T) throws(StartsOver) -> Void
            ) async throws -> R
    ) async throws -> R {
        let first = try await runChange(
            at: progress.place, timeout: progress.timeout
        ) { [self, revocations = progress.revocations] call, turn in
            try claimValue(call, turn, afterRevocations: revocations)
        }
        progress.timeout = first.remaining
        var claimed = first
        var value = first.value
        // Released after the lock: a `deinit` may want it.
        defer { withExtendedLifetime((first.value, claimed.value, value)) {} }
        defer { claimed.claim.release() }
        // A scope of its own for the body: a task that was started there may change the value as soon as the body has
        // ended.
        let scope = UpdateScope(first.transaction.core, queue: queues.changes)
        let (place, revocations, stepsBack) = (progress.place, progress.revocations, progress.stepsBack)
        let result = try await scope.run {
            try await body(&value) { value throws(StartsOver) in
                // The program may have forked, and this may be the child, where a lock may be held for ever.
                if CurrentProcess.isForked { throw StartsOver(wasRevoked: false) }
                switch first.transaction.core.claims.begin(first.claim) {
                case .afterAnEarlierTask where stepsBack < Self.mostStepsBack: throw StartsOver(wasRevoked: false)
                case .now, .afterAnEarlierTask: break
                case .revoked:
                    // If the actor was blocked only once, a thread can read the value.
                    guard revocations > 0, let again = claimAgain(first, place, afterRevocations: revocations) else {
                        throw StartsOver(wasRevoked: true)
                    }
                    (claimed, value) = (again, again.value)
                }
            }
        }
        do {
            try await BlockingCall.run { [self, claimed, value] in
                // Released at once, on this thread: somebody who waits for the lock may block what this task needs to
                // go on.
                defer { claimed.claim.release() }
                let transaction = claimed.transaction
                try attempt(transaction, isPublished: { _ in true }) { () throws(GroupFileError) in
                    try UpdateScope(transaction.core).run { () throws(GroupFileError) in
                        try publishUpdate(value, over: claimed.content, transaction)
                    }
                }
            }
        } catch let lack as BlockingCall.NoThread {
            throw GroupFileError(lack.error, path: path, "start a thread to write the value")
        }
        return result
    }

    /// Takes the lock and reads the value, before an update's body begins. Codecs run within the update, too.
    private func claimValue(
        _ call: BlockingCall, _ turn: CallQueue.Turn, afterRevocations count: Int
    ) throws -> ClaimedValue<T> {
        var lock: (any StoredFileLock)?
        do {
            let transaction = try begin(call)
            lock = transaction.lock
            let remaining = call.remaining
            let found = try attempt(transaction, isPublished: { _ in false }) { () throws(GroupFileError) in
                try UpdateScope(transaction.core).run { () throws(GroupFileError) in try readSettled(transaction) }
            }
            let claim = LockClaim(transaction.lock, turn, afterRevocations: count)
            transaction.core.claims.add(claim)
            return ClaimedValue(
                transaction: transaction, claim: claim, value: found.value, content: found.content,
                remaining: remaining)
        } catch {
            lock?.release()
            turn.release()
            throw error
        }
    }

    /// Takes turn and lock once more, where the body runs, so that it can begin before the actor is blocked again. Nil
    /// if they are not free soon, or the value cannot be read without waiting for a writer. Blocks on them and on the
    /// disk, which nothing else in an awaited update does on the caller's thread.
    private func claimAgain(
        _ lost: ClaimedValue<T>, _ place: CallQueue.Place, afterRevocations count: Int
    ) -> ClaimedValue<T>? {
        if Task.isCancelled { return nil }
        // Where many want the lock, it is hardly ever free at a given moment. Who waits in line gets it.
        let patience = Duration.milliseconds(4 << min(count - 1, 4))
        let core = lost.transaction.core
        guard let turn = takeTurnSoon(place) else { return nil }
        guard let transaction = beginSoon(in: core, within: min(patience, lost.remaining ?? patience)) else {
            turn.release()
            return nil
        }
        let claim = LockClaim(transaction.lock, turn)
        let found = UpdateScope(core).run { readIfSettled(transaction) }
        guard let found else {
            claim.release()
            return nil
        }
        return ClaimedValue(
            transaction: transaction, claim: claim, value: found.value, content: found.content,
            remaining: lost.remaining)
    }

    /// Waits for about a millisecond at most: who has just let the actor go on, with its own update, may be about to
    /// release the turn. An update whose body is suspended until this actor is free would never do so.
    private func takeTurnSoon(_ place: CallQueue.Place) -> CallQueue.Turn? {
        for attempt in 0..<10 {
            if attempt > 0 { Thread.sleep(for: .microseconds(100)) }
            if let turn = queues.changes.takeIfFree(place) { return turn }
        }
        return nil
    }
}

/// A value whose lock is held for an update.
private struct ClaimedValue<Value: Sendable>: Sendable {
    let transaction: Transaction
    let claim: LockClaim
    let value: Value
    let content: Content
    /// What was left of the time to wait for the lock; nil is for ever.
    let remaining: Duration?
}
