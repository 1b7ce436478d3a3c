import FoundationEssentials
import SystemCalls

extension GroupFile {
    /// The encoding of a value, together with the members of the content it replaces that the value's type does not
    /// know. Called while the value's lock is held.
    func encoding(_ encoding: Encoding, over old: Content, in core: FileCore) throws(GroupFileError) -> Encoding {
        guard let upgrade = codec.upgrade, case .bytes(let oldBytes) = old, oldBytes.count <= maximumSize
        else { return encoding }
        // Content that is exactly what this file encoded holds nothing else.
        let known = channel.current
        if known.isExactlyOwnEncoding, known.content == old { return encoding }
        let carrying: [UInt8]?
        do {
            carrying = try UpdateScope(core).run {
                CodecScope.enter()
                defer { CodecScope.leave() }
                return try upgrade.carrying(
                    from: oldBytes, into: encoding.bytes, initial: { encodedInitialValue }, encode: encodedBytes)
            }
        } catch {
            return Encoding(bytes: encoding.bytes, mayHideUnknownMembers: true)
        }
        guard let carrying else { return encoding }
        try checkSize(carrying)
        // Beside what the type takes for keys of its own, a member may be taken for one, too.
        do throws(NoValue) {
            _ = try UpdateScope(core).run { () throws(NoValue) in try decode(.bytes(carrying)) }
        } catch {
            return Encoding(bytes: encoding.bytes, mayHideUnknownMembers: true)
        }
        return Encoding(bytes: carrying, hasUnknown: true)
    }

    /// Whether members that the value's type does not know are carried over into this encoding.
    func carriesOver(_ own: Encoding) -> Bool {
        codec.upgrade != nil && own.bytes.contains(UInt8(ascii: "{"))
    }

    /// Decodes content that lacks keys which an older version did not know; they are taken from the initial value. Nil
    /// if decoding failed for another reason.
    func decodeFilled(_ data: Data, _ error: any Error) throws -> T? {
        guard let upgrade = codec.upgrade, let filling = Filling(error, { encodedInitialValue }) else { return nil }
        return try upgrade.decode(data, filling).value
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
