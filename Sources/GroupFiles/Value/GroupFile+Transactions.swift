import SystemCalls

extension GroupFile {
    /// Holds the lock while `body` runs. Repeats both if the directory was replaced meanwhile, so that the change lands
    /// in the directory that had the path, or if the lock was lost. If a result is not `isPublished`, it has changed no
    /// directory, and is returned as it is. If there is no container, throws `.noDirectory` unless this
    /// `makesContainer`.
    func change<R>(
        _ call: BlockingCall?, makesContainer: Bool = true, isPublished: (R) -> Bool = { _ in true },
        _ body: (Transaction) throws(GroupFileError) -> R
    ) throws(GroupFileError) -> R {
        var lost: GroupFileError?
        for _ in 0..<Attempts.most {
            let transaction = try begin(call, makesContainer: makesContainer)
            defer { transaction.lock.release() }
            do throws(FailedAttempt) {
                return try attempt(
                    transaction, isPublished: isPublished, { () throws(GroupFileError) in try body(transaction) })
            } catch {
                switch error {
                case .failed(let error): throw error
                case .retry(let error): lost = error
                }
            }
        }
        throw lost ?? keepsChanging
    }

    /// Does the work of a change, or a part of it, under the lock; also throws if the change has to be repeated.
    func attempt<R>(
        _ transaction: Transaction, isPublished: (R) -> Bool, _ work: () throws(GroupFileError) -> R
    ) throws(FailedAttempt) -> R {
        let result: R
        do throws(GroupFileError) {
            result = try work()
        } catch {
            // The lock was lost, and nothing was published.
            if error.code == .directoryKeepsChanging { throw .retry(error) }
            // If the directory was removed meanwhile, that is the reason for the error. A forked child must not even
            // look.
            if error.code == .forked || store.leads(self, to: transaction.core) != .no { throw .failed(error) }
            throw .retry(nil)
        }
        // If the path cannot be looked at, nothing says that it leads elsewhere now.
        if isPublished(result), store.leads(self, to: transaction.core) == .no { throw .retry(nil) }
        return result
    }

    /// Called first by every change, before any lock is taken: in a forked child a lock may be held for ever.
    func refuseChange() throws(GroupFileError) {
        try GroupFileError.refuseForked()
        if access == .readOnly { throw .readOnly(path) }
    }

    /// Called before a value is encoded, because its codec may be what changes the value, again and again.
    func refuseNestedCodec() throws(GroupFileError) {
        guard CodecScope.isEntered else { return }
        if CodecScope.isEndless || UpdateScope.contains(attachedCore) { throw .nested(path) }
    }

    func begin(_ call: BlockingCall?, makesContainer: Bool = true) throws(GroupFileError) -> Transaction {
        try refuseChange()
        var last: GroupFileError?
        var hasTimedOut = false
        for _ in 0..<Attempts.most {
            if call?.beginWaiting() == false { throw .abandoned(path) }
            let core = try store.coreForWriting(self, makesDirectory: makesContainer)
            if UpdateScope.contains(core) { throw .nested(core.file.path) }
            let lock: any StoredFileLock
            do throws(GroupFileError) {
                lock = try acquireLock(of: core, call)
            } catch {
                // If the directory was exchanged or removed, that is the reason for the error, even if the directory is
                // back by now. `leads` also resolves the path again.
                if store.leads(self, to: core) == .yes, !error.suggestsExchange { throw error }
                if error.code != .directoryKeepsChanging { last = error }
                // Try once more, because the time ran out on another directory's lock; but not for ever.
                if error.code == .timedOut {
                    if hasTimedOut { throw error }
                    hasTimedOut = true
                }
                continue
            }
            if call?.beginWork() == false {
                lock.release()
                throw .abandoned(core.file.path)
            }
            // The directory may have been exchanged while we waited, unless locking has checked that.
            if store.pathForWriting != nil || store.leads(self, to: core) == .yes {
                return Transaction(core: core, lock: lock)
            }
            lock.release()
        }
        throw last ?? keepsChanging
    }

    /// Begins a change in `core`, and blocks for no longer than `patience` until its lock is free; nil if it is not, or
    /// for any other reason, which the caller meets again when it waits.
    func beginSoon(in core: FileCore, within patience: Duration) -> Transaction? {
        do throws(GroupFileError) {
            guard try store.coreForWriting(self, makesDirectory: false) === core else { return nil }
            var request = lockRequest(nil)
            (request.timeout, request.isTentative) = (patience, true)
            let lock = try core.claims.whileWaiting { () throws(GroupFileError) -> any StoredFileLock in
                try self.lock(core, request)
            }
            if store.pathForWriting != nil || store.leads(self, to: core) == .yes {
                return Transaction(core: core, lock: lock)
            }
            lock.release()
        } catch {}
        return nil
    }

    private func acquireLock(of core: FileCore, _ call: BlockingCall?) throws(GroupFileError) -> any StoredFileLock {
        let request = lockRequest(call)
        // A call that is awaited blocks no thread but its own.
        if call != nil { return try lock(core, request) }
        return try core.claims.whileWaiting { () throws(GroupFileError) in try lock(core, request) }
    }

    private func lockRequest(_ call: BlockingCall?) -> LockRequest {
        LockRequest(
            timeout: lockTimeout, call: call, container: store.pathForWriting, sharing: store.sharing,
            limit: displacedLimit)
    }

    private func lock(_ core: FileCore, _ request: LockRequest) throws(GroupFileError) -> any StoredFileLock {
        try core.file.lock(request) { left in isValueOrMissing(left, known: channel.current, in: core) }
    }

    var keepsChanging: GroupFileError {
        GroupFileError(
            .directoryKeepsChanging, path: store.path,
            "the directory was exchanged for another one at each of \(Attempts.most) attempts; find out by which program"
        )
    }
}

extension GroupFileError {
    /// Whether an exchange of the directory may be the cause: something was not found where it was looked for.
    fileprivate var suggestsExchange: Bool {
        code == .directoryKeepsChanging || errno.map { Errno(rawValue: $0).isNotFound } ?? false
    }

    /// Nobody sees this error: the waiting task gets `CancellationError`.
    fileprivate static func abandoned(_ path: String) -> GroupFileError {
        GroupFileError(.timedOut, path: path, "the task was cancelled while it waited for the lock")
    }
}
