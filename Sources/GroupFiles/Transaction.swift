import SystemCalls

/// The right to change a value, held: the lock, and the core in which the change is published.
struct Transaction: Sendable {
    let core: FileCore
    let lock: any StoredFileLock
    let scope: UpdateScope
}

/// Within which updates the running code is, so that a nested one of the same value fails instead of waiting for itself.
final class UpdateScope: Sendable {
    @TaskLocal static var current: UpdateScope?

    private let core: FileCore
    private let outer: UpdateScope?
    /// A task that was started within an update may go on after it.
    private let hasEnded = Guarded(false)

    init(_ core: FileCore) {
        self.core = core
        outer = Self.current
    }

    static func contains(_ core: FileCore) -> Bool {
        var scope = current
        while let inner = scope {
            if inner.core === core, !inner.hasEnded.withLock({ $0 }) { return true }
            scope = inner.outer
        }
        return false
    }

    /// Runs `body` on another thread as if it were where `scope` was current.
    static func resume<R>(_ scope: UpdateScope?, _ body: () throws -> R) rethrows -> R {
        try $current.withValue(scope) { try body() }
    }

    func run<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
        defer { hasEnded.withLock { $0 = true } }
        let result = Self.$current.withValue(self) { () -> Result<R, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    nonisolated(nonsending) func run<R>(_ body: nonisolated(nonsending) () async throws -> R) async throws -> R {
        defer { hasEnded.withLock { $0 = true } }
        return try await Self.$current.withValue(self) { try await body() }
    }
}

extension GroupFile {
    /// Holds the lock while `body` runs; once more where the directory was exchanged meanwhile, so that the change lands
    /// in the directory that bore the path.
    func change<R, Failure: Error>(
        _ waiting: LockWait?, _ body: (Transaction) throws(Failure) -> R
    ) throws -> R {
        for _ in 0..<mostAttempts {
            let transaction = try begin(waiting)
            defer { transaction.lock.release() }
            do {
                let result = try body(transaction)
                if store.leads(self, to: transaction.core) { return result }
            } catch let error as GroupFileError {
                // Where the directory was taken away meanwhile, that is why. A forked child must not even look.
                if error.code == .forked || store.leads(self, to: transaction.core) { throw error }
            }
        }
        throw keepsChanging
    }

    func change<R>(
        _ waiting: LockWait?, _ body: (Transaction) throws(GroupFileError) -> R
    ) throws(GroupFileError) -> R {
        for _ in 0..<mostAttempts {
            let transaction = try begin(waiting)
            defer { transaction.lock.release() }
            do throws(GroupFileError) {
                let result = try body(transaction)
                if store.leads(self, to: transaction.core) { return result }
            } catch {
                // Where the directory was taken away meanwhile, that is why. A forked child must not even look.
                if error.code == .forked || store.leads(self, to: transaction.core) { throw error }
            }
        }
        throw keepsChanging
    }

    func begin(_ waiting: LockWait?) throws(GroupFileError) -> Transaction {
        try GroupFileError.refuseForked()
        if access == .readOnly {
            throw GroupFileError(.readOnly, path: path, "it was opened with access: .readOnly; open it for writing")
        }
        for _ in 0..<mostAttempts {
            let core = try store.coreForWriting(self)
            if UpdateScope.contains(core) {
                throw GroupFileError(
                    .nested, path: core.file.path,
                    "this is within an update of the same value, which holds the lock; change the value that was passed in"
                )
            }
            let lock: any StoredFileLock
            do throws(GroupFileError) {
                lock = try core.file.lock(
                    timeout: lockTimeout, waiting: waiting, through: store.pathForWriting, limit: displacedLimit
                ) { left in
                    isValueOrMissing(left, known: channel.current)
                }
            } catch {
                // Where the directory was exchanged, or removed, that is why.
                if store.leads(self, to: core) { throw error }
                continue
            }
            if waiting?.isOver() ?? false {
                lock.release()
                throw .abandoned(core.file.path)
            }
            // While we waited the directory may have been exchanged, unless locking has looked at that.
            if store.pathForWriting != nil || store.leads(self, to: core) {
                return Transaction(core: core, lock: lock, scope: UpdateScope(core))
            }
            lock.release()
        }
        throw keepsChanging
    }

    var mostAttempts: Int { 16 }

    var keepsChanging: GroupFileError {
        GroupFileError(
            .directoryKeepsChanging, path: store.path,
            "the directory was exchanged for another one at each of \(mostAttempts) attempts; find out by whom")
    }
}

extension GroupFileError {
    /// Nobody sees it: who waited has been told `CancellationError`.
    fileprivate static func abandoned(_ path: String) -> GroupFileError {
        GroupFileError(.timedOut, path: path, "the task was cancelled while it waited for the lock")
    }
}
