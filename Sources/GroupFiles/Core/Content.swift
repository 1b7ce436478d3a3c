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

        /// Why the file at `path` cannot be looked at. Finds out now what is in the way, because callers that ask for
        /// the value or its status later must not touch the disk.
        init(_ error: Errno, at path: String) {
            self = error == .notDirectory ? .noPlace(.unreached(error, path)) : .failed(error)
        }
    }

    /// Hashes all bytes at once: one by one, as those of an array are hashed, they take twenty times as long.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .missing: break
        case .bytes(let bytes): unsafe bytes.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        case .unreadable(let obstacle): hasher.combine(obstacle)
        }
    }

    /// False for content that the kernel generates when it is read, as in /proc: the size and times of such a file
    /// prove nothing.
    func isStored(_ fingerprint: Fingerprint) -> Bool {
        if case .bytes(let bytes) = self { bytes.count == fingerprint.size } else { true }
    }

    /// Whether the value's place is taken by something that nobody can be writing a value into, such as a directory. A
    /// symbolic link does not count: where a path is followed through links, the link may have just appeared, and lead
    /// to a file.
    var isNoFile: Bool {
        if case .unreadable(.notRegular) = self { !isLink } else { false }
    }

    var isLink: Bool { self == .unreadable(.notRegular(.symbolicLink)) }

    var isBytes: Bool { if case .bytes = self { true } else { false } }

    var isEmpty: Bool { self == .bytes([]) }

    /// Whether something certainly has the name. False if the file could not be looked at: it may be there or not.
    var isThere: Bool {
        switch self {
        case .missing, .unreadable(.failed), .unreadable(.noPlace): false
        case .bytes, .unreadable(.notRegular), .unreadable(.tooLarge): true
        }
    }

    /// Why the file could not be looked at, if that is for want of a resource that becomes available again by itself.
    var exhaustion: Errno? {
        guard case .unreadable(.failed(let error)) = self else { return nil }
        return error.isExhaustion ? error : nil
    }

    /// Whether the content may be readable soon without any event: after exhaustion, or once another program gives back
    /// its lease, which our attempt to open the file has asked it to do.
    var isTransient: Bool {
        if case .unreadable(.failed(.wouldBlock)) = self { true } else { exhaustion != nil }
    }
}
