import SystemCalls

extension GroupFile {
    /// Creates the value if there is none, and we may write.
    func createIfMissing() throws(GroupFileError) {
        if access == .readWrite, mayBeMissing { try create() }
    }

    /// Also true if the file could not be looked at for want of a resource that becomes available again by itself, or
    /// if something that is not a directory is in the container's place: creating the value then throws the reason.
    private var mayBeMissing: Bool {
        switch channel.current.status {
        case .missing: true
        case .invalid(let error):
            error.errno.map { Errno(rawValue: $0) }.map { $0.isExhaustion || $0 == .notDirectory } ?? false
        case .current: false
        }
    }

    /// The reason why nobody could see whether anything has the value's name; nil if that is known.
    var unseen: GroupFileError? {
        let core = attachedCore
        guard case .invalid(let error) = channel.current.status, !core.knownContent.isThere else { return nil }
        // A file that we may not read exists all the same.
        return core.file.fingerprint() == nil ? error : nil
    }

    /// Creates the value if there is none; the first to create it wins.
    private func create() throws(GroupFileError) {
        let encoding = try encode(initialValue)
        try change(nil) { transaction throws(GroupFileError) in
            try UpdateScope(transaction.core).run { () throws(GroupFileError) in try create(encoding, transaction) }
        }
    }

    private func create(_ encoding: Encoding, _ transaction: Transaction) throws(GroupFileError) {
        let found = try transaction.core.read(through: transaction.lock, limit: maximumSize).content
        if let exhaustion = found.exhaustion { throw GroupFileError(exhaustion, path: path, "read the value") }
        if case .missing = found {
            try transaction.lock.prepare(encoding.bytes, durability: durability)
            let number = try transaction.core.publish(.bytes(encoding.bytes), by: self) {
                () throws(GroupFileError) in
                try transaction.lock.commit(.create)
            }
            if let number {
                acceptOwn(initialValue, encoding, number: number, from: transaction.core)
                return try transaction.lock.finish(durability: durability)
            }
            transaction.core.refresh()
        }
        acceptOffer(isForced: true)
    }
}
