extension GroupFile {
    /// Replaces the value atomically; returns when it is published, and as durable as `durability` says.
    ///
    /// Waits for the lock, so that the write never vanishes inside another update. Keys of the file that `T` does not
    /// know are kept: see <doc:UpgradesWhileRunning>. Content that does not decode is kept in `.groupfile`. `write`
    /// does not check that the encoded value can be decoded again.
    ///
    /// - Throws: An error that says why nothing was written; `.notDurable` if the value is published nevertheless.
    public func write(_ value: T) throws(GroupFileError) {
        try refuseChange()
        try refuseNestedCodec()
        let encoding = try encode(value)
        // Released after the lock: a `deinit` may want it.
        let old = channel.current
        defer { withExtendedLifetime(old) {} }
        try change(nil) { transaction throws(GroupFileError) in
            try publishOver(value, encoding, transaction)
        }
    }

    /// Reads, changes and writes the value under the lock: no update is lost, whatever other processes do.
    ///
    /// - If `body` changed nothing, the file is not touched, unless `durability` is `.durable`. `body` has changed
    ///   nothing if the bytes to be written are those that were read, or differ from them in white space alone,
    ///   whatever a foreign writer has done to the file since. A file that lacks keys is rewritten; one that has them
    ///   in another order may be.
    /// - If `T` is a class, `body` gets an object of its own, so that nobody sees its changes before they are written.
    ///   Objects inside a structure are shared, so a value should have no references to mutable objects.
    /// - If the directory was replaced meanwhile, or the lock's file removed, `body` is called again with the value
    ///   that is there then.
    /// - If somebody removes the lock's file while the lock is held, two updates may run at once, and one of them may
    ///   be lost.
    ///
    /// Blocks on the lock, on the disk, and for up to a second on a foreign writer that is at work on the file; `body`
    /// is called on this thread. <doc:Guarantees> has the details, under G2, G4 and G5.
    ///
    /// - Throws: An error that says why nothing was written; `.notDurable` if the value is published nevertheless.
    ///   Content that does not decode is left alone. `.nested` within another update of the same value, or in a codec
    ///   that is called while the value is being changed.
    @discardableResult
    public func update<R>(_ body: (inout T) -> R) throws(GroupFileError) -> R {
        try update(catching: { value in Result<R, Never>.success(body(&value)) }).get()
    }

    /// Like the other `update`; an error thrown by `body` is rethrown unchanged, and nothing is written then.
    @discardableResult
    public func update<R, Failure: Error>(_ body: (inout T) throws(Failure) -> R) throws -> R {
        try update(catching: { value in Result { () throws(Failure) in try body(&value) } }).get()
    }

    /// Removes the value, under the lock: it reads as `initialValue` until the next write creates it again. With
    /// `.durable`, the removal survives a power cut, too. Content that was kept in `.groupfile` stays there. If there
    /// is no container, none is made.
    ///
    /// - Throws: `.timedOut`, `.nested`, `.readOnly`, `.notRegularFile`, or why the kernel refused; `.notDurable` if it
    ///   is removed nevertheless.
    public func remove() throws(GroupFileError) {
        try remove(nil)
    }

    // MARK: Parts

    func remove(_ call: BlockingCall?) throws(GroupFileError) {
        try refuseChange()
        // Released after the lock: a `deinit` may want it.
        let old = channel.current
        defer { withExtendedLifetime(old) {} }
        do throws(GroupFileError) {
            try change(call, makesContainer: false) { transaction throws(GroupFileError) in
                try UpdateScope(transaction.core).run { () throws(GroupFileError) in try removeWithin(transaction) }
            }
        } catch  where error == .noDirectory(store.path) {
            // There was no container, or somebody has removed it meanwhile; by now there may be one again.
            acceptOffer(isForced: true)
        }
    }

    private func removeWithin(_ transaction: Transaction) throws(GroupFileError) {
        let number = try transaction.core.publish(.missing, by: self) { () throws(GroupFileError) in
            try transaction.lock.commitRemoval()
            return true
        }
        if let number { acceptOwnRemoval(number: number, from: transaction.core) }
        try transaction.lock.finish(durability: durability)
    }

    /// An update whose body may fail: that error never causes another attempt, whatever its type is.
    private func update<R, Failure: Error>(
        catching body: (inout T) -> Result<R, Failure>
    ) throws(GroupFileError) -> Result<R, Failure> {
        try refuseChange()
        // Released after the lock: a `deinit` may want it.
        var released: [T] = [channel.current.value]
        defer { withExtendedLifetime(released) {} }
        // Not a key path: one into a generic type is built anew at each use.
        return try change(nil, isPublished: { $0.isSuccess }) { transaction throws(GroupFileError) in
            let core = transaction.core
            var (value, old) = try UpdateScope(core).run { () throws(GroupFileError) in try readSettled(transaction) }
            released.append(value)
            defer { released.append(value) }
            // A scope of its own for the body: a task that was started there may change the value as soon as the body
            // has ended.
            let result = UpdateScope(core).run { body(&value) }
            if result.isSuccess {
                try UpdateScope(core).run { () throws(GroupFileError) in
                    try publishUpdate(value, over: old, transaction)
                }
            }
            return result
        }
    }

    func publishUpdate(_ value: T, over old: Content, _ transaction: Transaction) throws(GroupFileError) {
        // The body may have forked, and this may be the child.
        try GroupFileError.refuseForked()
        let own: Encoding
        do throws(GroupFileError) {
            own = try encode(value)
        } catch {
            if isNil(value), isNil(old) { return }
            throw error
        }
        let whole = try encoding(own, over: old, in: transaction.core)
        let write = PendingWrite(own: own, whole: whole, old: old)
        if durability != .durable, changesNothing(write) { return acceptOwn(value, of: old) }
        try publish(value, write, transaction)
    }

    private func isNil(_ value: T) -> Bool { (value as? any OptionalValue)?.isNil == true }

    /// Whether the value was nil before: then a nil that cannot be encoded need not be written.
    private func isNil(_ old: Content) -> Bool {
        if old == .missing { return isNil(initialValue) }
        do throws(NoValue) { return isNil(try decodeUnlessKnown(old)) } catch { return false }
    }

    /// Whether the value is still the one that was read. Then nothing is published, so that whatever a foreign writer
    /// has put in the file's place since then stays there.
    private func changesNothing(_ write: PendingWrite) -> Bool {
        guard case .bytes(let bytes) = write.old else { return false }
        let whole = write.whole.bytes
        if bytes == whole { return true }
        let known = channel.current
        if known.isExactlyOwnEncoding, known.content == write.old { return false }
        // The only difference may be in white space, also within a string, or in the order of keys; and the content
        // need not be a value that can be encoded. It is decoded anew, because the known value may be an object, which
        // the body has changed.
        guard bytes.visibleCounts == whole.visibleCounts else { return false }
        do { return try encode(try decode(write.old)).bytes == write.own.bytes } catch { return false }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

extension [UInt8] {
    /// How often each byte occurs that is not JSON's white space, because keys may be in any order.
    fileprivate var visibleCounts: [Int] {
        var counts = [Int](repeating: 0, count: 256)
        for byte in self { counts[Int(byte)] += 1 }
        for space in [0x20, 0x0A, 0x0D, 0x09] { counts[space] = 0 }
        return counts
    }
}
