/// What happens to the content that a change displaced.
private enum Disposition {
    /// Nothing is lost if it is dropped.
    case worthless
    /// It is kept for the user.
    case kept
    /// What the content holds besides the value is in this encoding, which is published next; until then the content is
    /// kept.
    case carried(Encoding)

    var isWorthless: Bool { if case .worthless = self { true } else { false } }
}

extension GroupFile {
    /// Publishes a value over whatever is there. This runs within an ``UpdateScope``: what is released here came in
    /// after the call had begun, and a `deinit` that wants the lock is then refused, rather than waiting for itself.
    func publishOver(_ value: T, _ own: Encoding, _ transaction: Transaction) throws(GroupFileError) {
        try UpdateScope(transaction.core).run { () throws(GroupFileError) in
            if !carriesOver(own) {
                try publish(value, PendingWrite(own: own, whole: own, old: .missing), transaction)
            } else if let write = try prepareOverKnown(own, transaction) {
                try publish(value, write, transaction, isPrepared: true)
            } else {
                // No writer that takes the lock can change it now.
                let old = try transaction.core.read(through: transaction.lock, limit: maximumSize).content
                let whole = try encoding(own, over: old, in: transaction.core)
                try publish(value, PendingWrite(own: own, whole: whole, old: old), transaction)
            }
        }
    }

    /// If nobody has written under the lock since this process did, assumes that the known content is still there, and
    /// prepares a write over it without reading the file. Nil if the content is something else after all, or may be;
    /// then nothing is prepared.
    private func prepareOverKnown(_ own: Encoding, _ transaction: Transaction) throws(GroupFileError) -> PendingWrite? {
        guard transaction.lock.isUndisturbed else { return nil }
        let old = transaction.core.knownContent
        let whole: Encoding
        do throws(GroupFileError) {
            whole = try encoding(own, over: old, in: transaction.core)
        } catch {
            return nil  // Too large with members that may no longer be there.
        }
        let found = try transaction.lock.prepare(whole.bytes, durability: durability)
        if transaction.core.content(ifStill: found) == old {
            return PendingWrite(own: own, whole: whole, old: old)
        }
        transaction.lock.abandon()
        return nil
    }

    /// Publishes a value, and judges the content that it displaced. Members that a foreign writer left there meanwhile
    /// are carried over, too; the content is kept until that is done.
    func publish(
        _ value: T, _ write: consuming PendingWrite, _ transaction: Transaction, isPrepared: Bool = false
    ) throws(GroupFileError) {
        /// The name of the content that an earlier round displaced, and that this round carries over.
        var kept: String?
        // A writer that never pauses must not keep us here forever.
        for round in 0..<3 {
            let before = channel.current
            do throws(GroupFileError) {
                if !isPrepared || round > 0 {
                    try transaction.lock.prepare(write.whole.bytes, durability: durability)
                }
                try commit(value, write.whole, transaction)
            } catch {
                // The value has been published, although without the members of the content that stays kept.
                if round > 0 { return }
                throw error
            }
            // The content that was kept until now is part of what has just been published.
            if let kept { transaction.lock.drop(kept) }
            var found: Disposition?
            let nowKept = try finish(transaction, known: before) { displaced in
                // Somebody has removed the displaced file: there is nothing to keep, and the value itself was not
                // removed.
                let fate =
                    displaced == .missing
                    ? .worthless : judge(displaced, of: write, known: before, in: transaction.core)
                found = fate
                return fate.isWorthless
            }
            // If nothing was displaced, somebody has removed the value, with everything in it.
            let fate = found ?? judge(.missing, of: write, known: before, in: transaction.core)
            guard case .carried(let more) = fate else { return }
            write = PendingWrite(own: write.own, whole: more, old: .bytes(write.whole.bytes))
            kept = nowKept
        }
    }

    /// Decides what happens to content that a write displaced.
    private func judge(
        _ displaced: Content, of write: PendingWrite, known: AcceptedState<T>, in core: FileCore
    ) -> Disposition {
        if !isValueOrMissing(displaced, known: known, in: core) { return .kept }
        if displaced == write.old { return write.whole.mayHideUnknownMembers ? .kept : .worthless }
        if !carriesOver(write.own) { return .worthless }
        do throws(GroupFileError) {
            let more = try encoding(write.own, over: displaced, in: core)
            if more.mayHideUnknownMembers { return .kept }
            return more.bytes == write.whole.bytes ? .worthless : .carried(more)
        } catch {
            return .kept  // Too large with the displaced members; the value itself is published.
        }
    }

    /// Publishes the prepared encoding of a value. The displaced file stays until `finish`.
    private func commit(_ value: T, _ encoding: Encoding, _ transaction: Transaction) throws(GroupFileError) {
        let number = try transaction.core.publish(.bytes(encoding.bytes), by: self) { () throws(GroupFileError) in
            try transaction.lock.commit(.replace)
        }
        if let number { acceptOwn(value, encoding, number: number, from: transaction.core) }
    }

    /// Throws away the displaced content if it `isWorthless`, and keeps it otherwise; returns the name of what is kept.
    private func finish(
        _ transaction: Transaction, known before: AcceptedState<T>, _ isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> String? {
        do throws(GroupFileError) {
            return try transaction.lock.finish(
                durability: durability, limit: displacedLimit,
                expected: before.status == .current ? before.content : .missing, isWorthless: isWorthless)
        } catch {
            // The displaced file may be back in place.
            if error.code != .notDurable { transaction.core.refresh() }
            throw error
        }
    }

    /// Longer content is kept without being compared; whatever could be a value is looked at in any case.
    var displacedLimit: Int { max(maximumSize, 16 << 20) }
}
