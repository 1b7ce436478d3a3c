import SystemCalls

/// What stands in a value's place. Missing, there, and not to be read are three things.
enum Content: Hashable, Sendable {
    case missing
    case bytes([UInt8])
    indirect case unreadable(Obstacle)

    /// Why there is no content, though there is something.
    enum Obstacle: Hashable, Sendable {
        case notRegular(FileStatus.Kind)
        /// Bytes.
        case tooLarge(Int)
        case failed(Errno)
        /// The place itself cannot be had.
        case noPlace(GroupFileError)
    }

    /// False for what the kernel makes up as it is read, as in /proc: of that neither size nor times tell anything.
    func isStored(_ fingerprint: Fingerprint) -> Bool {
        if case .bytes(let bytes) = self { bytes.count == fingerprint.size } else { true }
    }

    var isBytes: Bool { if case .bytes = self { true } else { false } }

    var isEmpty: Bool { self == .bytes([]) }

    /// Whether something surely bears the name. What could not be looked at may be there or not.
    var isThere: Bool {
        switch self {
        case .missing, .unreadable(.failed), .unreadable(.noPlace): false
        case .bytes, .unreadable(.notRegular), .unreadable(.tooLarge): true
        }
    }

    /// Why it could not be looked at, where that is the want of something that comes back by itself.
    var exhaustion: Errno? {
        guard case .unreadable(.failed(let error)) = self else { return nil }
        return error.isExhaustion ? error : nil
    }

    /// Whether it may be had soon, and nobody tells: after exhaustion, or once another program has given back its lease,
    /// which opening the file has asked it for.
    var isTransient: Bool {
        if case .unreadable(.failed(.wouldBlock)) = self { true } else { exhaustion != nil }
    }
}

extension Errno {
    /// Want of something that comes back by itself.
    var isExhaustion: Bool { self == .tooManyOpenFiles || self == .fileTableFull || self == .noMemory }
}
