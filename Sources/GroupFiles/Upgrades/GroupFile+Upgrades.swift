import FoundationEssentials
import JSONText
import SystemCalls

/// What is written in a value's place.
struct Encoding: Sendable {
    var bytes: [UInt8]
    /// Whether members are in it that the value's type does not know.
    var hasUnknown = false
}

extension GroupFile {
    /// The encoding of a value over what it replaces: what is there and its type does not know stays.
    /// Asked while the core's lock is held.
    func encoding(_ encoding: Encoding, over old: Content, in core: FileCore) throws(GroupFileError) -> Encoding {
        guard let upgrade = codec.upgrade, case .bytes(let oldBytes) = old, oldBytes.count <= maximumSize
        else { return encoding }
        // What this file wrote itself, and wrote alone, holds nothing else.
        let known = channel.current
        if known.isOwnAlone, known.content == old { return encoding }
        if JSONKeyGlance.isEveryKey(of: oldBytes, in: encoding.bytes) { return encoding }
        let carrying = UpdateScope(core).run {
            CodecScope.enter()
            defer { CodecScope.leave() }
            return upgrade.carrying(from: oldBytes, into: encoding.bytes) { encodedInitialValue }
        }
        guard let carrying else { return encoding }
        try checkSize(carrying)
        return Encoding(bytes: carrying, hasUnknown: true)
    }

    /// Publishes a value over whatever is there.
    func publishOver(_ value: T, _ own: Encoding, _ transaction: Transaction) throws(GroupFileError) {
        if !carriesOver(own) {
            try publish(value, own, transaction)
            return
        }
        // Nobody who takes the lock can change it now. What looks as it did when it was read last need not be read again:
        // what is displaced is judged in any case.
        let old =
            try transaction.core.content(ifStill: transaction.lock.look(), isOurs: transaction.lock.isUndisturbed)
            ?? transaction.read().content
        try publish(value, own, try encoding(own, over: old, in: transaction.core), over: old, transaction)
    }

    /// Publishes a value: its `own` encoding, or the `whole` with what `old` has beside it. Judged by what it displaced:
    /// what a foreign writer left there meanwhile is carried over, too.
    func publish(
        _ value: T, _ own: Encoding, _ whole: Encoding, over old: Content, _ transaction: Transaction
    ) throws(GroupFileError) {
        var (whole, old) = (whole, old)
        // One who never rests cannot keep us for ever.
        for _ in 0..<3 {
            let displaced = try publish(value, whole, transaction)
            if !carriesOver(own) || displaced == old { return }
            let next: Encoding
            do throws(GroupFileError) {
                next = try encoding(own, over: displaced, in: transaction.core)
            } catch {
                return  // Too large with that; the value itself is published.
            }
            if next.bytes == whole.bytes { return }
            (whole, old) = (next, .bytes(whole.bytes))
        }
    }

    private func carriesOver(_ own: Encoding) -> Bool {
        codec.upgrade != nil && own.bytes.first == UInt8(ascii: "{")
    }

    /// Decodes content that lacks keys which an older version did not know: they are the initial value's.
    func decodeFilled(_ data: Data) throws -> T? {
        guard let upgrade = codec.upgrade, let initial = encodedInitialValue else { return nil }
        return try upgrade.decode(data, initial, KeyNotes())
    }

    private var encodedInitialValue: Data? {
        do {
            CodecScope.enter()
            defer { CodecScope.leave() }
            return try codec.encode(initialValue)
        } catch {
            return nil  // Then nothing can be taken from it.
        }
    }
}
