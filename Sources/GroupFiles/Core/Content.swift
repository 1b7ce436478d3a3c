import SystemCalls

/// What is in a value's place: nothing, content, or something that cannot be read.
enum Content: Hashable, Sendable {
    case missing
    case bytes([UInt8])
    indirect case unreadable(Obstacle)

    /// Why there is no content, though there may be something.
    enum Obstacle: Hashable, Sendable {
        case notRegular(FileStatus.Kind)
        /// Bytes.
        case tooLarge(Int)
        case failed(Errno)
        /// The place itself cannot be opened.
        case noPlace(GroupFileError)

        /// Why the file at `path` cannot be looked at. What is in its way is looked for now: whoever asks for the value, or
        /// its status, must not touch the disk.
        init(_ error: Errno, at path: String) {
            self = error == .notDirectory ? .noPlace(.unreached(error, path)) : .failed(error)
        }
    }

    /// The bytes all at once: one by one, as those of an array, they take twenty times as long.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .missing: break
        case .bytes(let bytes): unsafe bytes.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        case .unreadable(let obstacle): hasher.combine(obstacle)
        }
    }

    /// False for what the kernel generates on reading, as in /proc: its size and times prove nothing.
    func isStored(_ fingerprint: Fingerprint) -> Bool {
        if case .bytes(let bytes) = self { bytes.count == fingerprint.size } else { true }
    }

    /// Whether something is there into which nobody can be writing a value, such as a directory. A link does not count:
    /// where a path is followed through links, it may just have come, and leads to a file.
    var isNoFile: Bool {
        if case .unreadable(.notRegular(let kind)) = self { kind != .symbolicLink } else { false }
    }

    var isBytes: Bool { if case .bytes = self { true } else { false } }

    var isEmpty: Bool { self == .bytes([]) }

    /// Whether something surely has the name. If it could not be looked at, it may be there or not.
    var isThere: Bool {
        switch self {
        case .missing, .unreadable(.failed), .unreadable(.noPlace): false
        case .bytes, .unreadable(.notRegular), .unreadable(.tooLarge): true
        }
    }

    /// Why it could not be looked at, if that is for want of something that becomes available again by itself.
    var exhaustion: Errno? {
        guard case .unreadable(.failed(let error)) = self else { return nil }
        return error.isExhaustion ? error : nil
    }

    /// Whether it may be readable soon, which nothing will report: after exhaustion, or once another program gives back
    /// its lease, as our attempt to open the file has asked it to.
    var isTransient: Bool {
        if case .unreadable(.failed(.wouldBlock)) = self { true } else { exhaustion != nil }
    }
}
