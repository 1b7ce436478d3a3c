import SystemCalls

/// Tasks that change a value take turns, and so do tasks that read it: however many tasks there are, each takes a
/// thread of the library only when its turn has come.
///
/// A turn begins without its task running, and also ends without it if the thread does all of the work: whatever the
/// task needs to go on may be blocked until others have had their turn.
extension GroupFile {
    /// In asynchronous code `try read()` would mean the asynchronous `read`.
    private func readNow() throws(GroupFileError) -> T { try read() }

    /// Like the other `read`, without blocking a cooperative thread.
    ///
    /// - Throws: Also `CancellationError`, if the task is cancelled first.
    @discardableResult
    public nonisolated(nonsending) func read() async throws -> T {
        try GroupFileError.refuseForked()
        do {
            return try await BlockingCall.run(in: queues.reads) { [self] _, turn in
                defer { turn.release() }
                return try readNow()
            }
        } catch let lack as BlockingCall.NoThread {
            throw GroupFileError(lack.error, path: path, "start a thread to read the value", changes: false)
        }
    }

    /// Like the other `write`, without blocking a cooperative thread.
    ///
    /// - Throws: Also `CancellationError`, if the task was cancelled before the call, or is while it waits for the
    ///   lock. Nothing has been written then, except perhaps in a directory that was replaced by another one during the
    ///   call.
    public nonisolated(nonsending) func write(_ value: T) async throws {
        try refuseChange()
        try refuseNestedCodec()
        let encoding = try encode(value)
        try await runChange(timeout: lockTimeout) { [self] call, turn in
            // Released after the lock and the turn, because a `deinit` may want them.
            let old = channel.current
            defer { withExtendedLifetime(old) {} }
            defer { turn.release() }
            try change(call) { transaction throws(GroupFileError) in
                try publishOver(value, encoding, transaction)
            }
        }
    }

    /// Like the other `remove`, without blocking a cooperative thread.
    ///
    /// - Throws: Also `CancellationError`, if the task was cancelled before the call, or is while it waits for the
    ///   lock. Nothing has been removed then, except perhaps from a directory that was replaced by another one during
    ///   the call.
    public nonisolated(nonsending) func remove() async throws {
        try await runChange(timeout: lockTimeout) { [self] call, turn in
            let old = channel.current
            defer { withExtendedLifetime(old) {} }
            defer { turn.release() }
            try remove(call)
        }
    }

    /// Runs a part of a change on a thread of the library, once it is this task's turn to change the value through this
    /// object. `timeout` bounds the wait for the turn and for the lock together. A task that would wait for itself is
    /// refused at once.
    nonisolated(nonsending) func runChange<R: Sendable>(
        at place: CallQueue.Place? = nil, timeout: Duration?,
        _ work: @escaping @Sendable (BlockingCall, CallQueue.Turn) throws -> R
    ) async throws -> R {
        let queue = queues.changes
        try refuseChange()
        if UpdateScope.contains(attachedCore) || UpdateScope.contains(queue) { throw GroupFileError.nested(path) }
        do {
            return try await BlockingCall.run(in: queue, at: place, timeout: timeout, work)
        } catch is BlockingCall.TimedOut {
            throw GroupFileError.lockTimedOut(
                path, after: lockTimeout,
                "another task of this process holds the lock or waits for it; wait for that task to finish")
        } catch let lack as BlockingCall.NoThread {
            throw GroupFileError(lack.error, path: path, "start a thread to wait for the lock")
        }
    }
}
