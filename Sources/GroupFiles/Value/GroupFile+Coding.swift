import FoundationEssentials
import PlainJSON
import SystemCalls

/// Converts between a value and the bytes of its file.
extension GroupFile {
    /// The value in the content.
    func decode(_ content: Content) throws(NoValue) -> T {
        switch content {
        case .missing: throw .missing
        case .unreadable(let obstacle): throw .invalid(.unreadable(obstacle, path: path, limit: maximumSize))
        case .bytes(let bytes):
            if bytes.count > maximumSize {
                throw .invalid(.unreadable(.tooLarge(bytes.count), path: path, limit: maximumSize))
            }
            CodecScope.enter()
            defer { CodecScope.leave() }
            if let plain = codec.plain {
                do throws(NotPlain) { return try plain.decode(bytes) } catch {}
            }
            do {
                return try decode(Data(bytes))
            } catch {
                throw .invalid(.undecodable(error, bytes: bytes, path: path, keyNames: codec.keyNames))
            }
        }
    }

    /// Decodes the content, unless it is the one that was accepted last, whose value is known.
    func decodeUnlessKnown(_ content: Content) throws(NoValue) -> T {
        let known = channel.current
        if case .bytes = content, known.content == content { return known.value }
        return try decode(content)
    }

    /// Whether nothing is lost if the content is dropped: it is a value, or "missing". Called while the value's lock is
    /// held.
    func isValueOrMissing(_ content: Content, known: AcceptedState<T>, in core: FileCore) -> Bool {
        // A value does not hold what the content has besides JSON, such as comments.
        if codec.isLenient, !JSONContent.isJSON(content) { return false }
        if content == .missing || content == known.content { return true }
        return UpdateScope(core).run {
            do throws(NoValue) {
                _ = try decode(content)
                return true
            } catch {
                return false
            }
        }
    }

    private func decode(_ data: Data) throws -> T {
        do {
            return try codec.decode(data)
        } catch {
            guard let value = try decodeFilled(data, error) else { throw error }
            return value
        }
    }

    func encode(_ value: T) throws(GroupFileError) -> Encoding {
        let bytes: [UInt8]
        CodecScope.enter()
        defer { CodecScope.leave() }
        do {
            bytes = try encodedBytes(value)
        } catch {
            throw .unencodable(error, path: path)
        }
        try checkSize(bytes)
        return Encoding(bytes: bytes)
    }

    /// The encoding of a value, of any size.
    func encodedBytes(_ value: T) throws -> [UInt8] {
        if let plain = codec.plain?.encode(value) { return plain }
        return Array(try codec.encode(value))
    }

    func checkSize(_ bytes: [UInt8]) throws(GroupFileError) {
        if bytes.count > maximumSize {
            throw GroupFileError(
                .tooLarge, path: path,
                "the value takes \(bytes.count) bytes; \(maximumSize) are allowed",
                callerAdvice: "raise maximumSize; nothing was changed")
        }
    }
}
