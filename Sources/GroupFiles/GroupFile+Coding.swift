import FoundationEssentials
import SystemCalls

/// Between a value and the bytes of its file.
extension GroupFile {
    /// The value in the content; nil where that is "missing".
    func decode(_ content: Content, known: AcceptedState<T>? = nil) -> Result<T?, GroupFileError> {
        switch content {
        case .missing: return .success(nil)
        case .unreadable(let obstacle): return .failure(.unreadable(obstacle, path: path, limit: maximumSize))
        case .bytes(let bytes):
            if let known, known.content == content { return .success(known.value) }
            if bytes.count > maximumSize {
                return .failure(.unreadable(.tooLarge(bytes.count), path: path, limit: maximumSize))
            }
            if let value = codec.plain?.decode(bytes) { return .success(value) }
            do {
                return .success(try decode(Data(bytes)))
            } catch {
                return .failure(.undecodable(error, bytes: bytes, path: path, isJSON: codec.isJSON))
            }
        }
    }

    private func decode(_ data: Data) throws -> T {
        do {
            return try codec.decode(data)
        } catch  where error.isWantOfKey {
            guard let value = try decodeFilled(data) else { throw error }
            return value
        }
    }

    func encode(_ value: T) throws(GroupFileError) -> Encoding {
        let bytes: [UInt8]
        do {
            if let plain = codec.plain?.encode(value) { bytes = plain } else { bytes = Array(try codec.encode(value)) }
        } catch {
            throw GroupFileError(
                .unencodable, path: path, "the value cannot be encoded: \(error); the file is as it was")
        }
        try checkSize(bytes)
        return Encoding(bytes: bytes)
    }

    func checkSize(_ bytes: [UInt8]) throws(GroupFileError) {
        if bytes.count > maximumSize {
            throw GroupFileError(
                .tooLarge, path: path,
                "the value takes \(bytes.count) bytes; \(maximumSize) are allowed: raise maximumSize; the file is as it was"
            )
        }
    }
}

extension GroupFileError {
    static func unreadable(_ obstacle: Content.Obstacle, path: String, limit: Int) -> GroupFileError {
        switch obstacle {
        case .notRegular(let kind): .notRegular(path, kind)
        case .tooLarge(let size):
            GroupFileError(
                .tooLarge, path: path, "it has \(size) bytes; \(limit) are allowed: shorten it, or raise maximumSize")
        case .failed(let error): GroupFileError(error, path: path, "read the value")
        case .noPlace(let error): error
        }
    }
}
