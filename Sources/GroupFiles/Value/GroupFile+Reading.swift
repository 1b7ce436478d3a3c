import SystemCalls

extension GroupFile {
    /// Reads the value from disk now, and publishes it if it differs. A missing file reads as `initialValue`.
    ///
    /// Blocks on the disk. If the file does not decode and was changed within the last 50 ms, this waits for its
    /// writer, for about a second at most.
    ///
    /// - Throws: An error that says why the content is not a value.
    @discardableResult
    public func read() throws(GroupFileError) -> T {
        try GroupFileError.refuseForked()
        store.followPath()
        for _ in 1..<Attempts.most {
            let core = attachedCore
            do throws(GroupFileError) {
                return try readSettled(core, through: nil, until: .now + SettleTime.patience).value
            } catch {
                if isStillThere(core) { throw error }
            }
        }
        return try readSettled(attachedCore, through: nil, until: .now + SettleTime.patience).value
    }

    /// Resolves the path again, and returns whether it still leads to where `core` is.
    func isStillThere(_ core: FileCore) -> Bool {
        store.followPath()
        return attachedCore === core
    }

    /// Reads the value for a change, which must not start from half of what somebody is writing.
    func readSettled(_ transaction: Transaction) throws(GroupFileError) -> (value: T, content: Content) {
        let end = Moment.now + SettleTime.patience
        transaction.core.waitForWriter(until: end)
        return try readSettled(transaction.core, through: transaction.lock, until: end)
    }

    /// The same without waiting for a writer; nil if that would be needed, or if the content is not a value.
    func readIfSettled(_ transaction: Transaction) -> (value: T, content: Content)? {
        if transaction.core.isBeingWritten { return nil }
        let publication: Publication
        do throws(GroupFileError) {
            publication = try transaction.core.read(through: transaction.lock, limit: maximumSize)
        } catch {
            return nil  // The lock was lost.
        }
        acceptOffer(isForced: false)
        if publication.mayBeHalf { return nil }
        do throws(NoValue) {
            return (try ownValue(of: publication.content), publication.content)
        } catch .missing {
            return (ownInitialValue(), .missing)
        } catch {
            return nil
        }
    }

    /// Where `T` is a class, others may hold the object: a change gets one of its own.
    private func ownValue(of content: Content) throws(NoValue) -> T {
        try T.self is AnyClass ? decode(content) : decodeUnlessKnown(content)
    }

    /// The same for a missing value, which is accepted as that.
    private func ownInitialValue() -> T {
        acceptOffer(isForced: true)
        return T.self is AnyClass ? copy(of: initialValue) : initialValue
    }

    /// A copy of the value, made by the codec; the value itself if the codec cannot make one.
    private func copy(of value: T) -> T {
        do {
            return try decode(.bytes(encode(value).bytes))
        } catch {
            return value
        }
    }

    /// The value that the file holds, once its writer is done with it, and the content that it was decoded from.
    private func readSettled(
        _ core: FileCore, through lock: (any StoredFileLock)?, until end: Moment
    ) throws(GroupFileError) -> (value: T, content: Content) {
        while true {
            // Decided before the file is read: if this thread is held up after the read, the writer may be done by
            // then.
            let isLast = Moment.now >= end
            let publication =
                if let lock {
                    try core.read(through: lock, limit: maximumSize)
                } else {
                    core.read(limit: maximumSize)
                }
            acceptOffer(isForced: false)
            do throws(NoValue) {
                let content = publication.content
                let value = try lock == nil ? decodeUnlessKnown(content) : ownValue(of: content)
                // What a read returns is corrected later; what a change starts from is not.
                if lock != nil, publication.mayBeHalf, !isLast, !core.isDone(publication.number, until: end) {
                    continue
                }
                return (value, content)
            } catch {
                guard case .invalid(let error) = error else {
                    // The file may only be missing because the directory was replaced meanwhile.
                    if lock == nil, !isStillThere(core) { throw keepsChanging }
                    if lock != nil { return (ownInitialValue(), .missing) }
                    acceptOffer(isForced: true)
                    return (initialValue, .missing)
                }
                guard !isLast, !publication.isSettled else {
                    if !channel.current.facts.hasFailed(publication.content) {
                        core.offerOnceSettled(publication.number)
                        acceptOffer(isForced: false)
                    }
                    throw error
                }
                core.waitForNews(since: publication.number, until: end)
            }
        }
    }
}
