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

    /// Whether something surely bears the name. What could not be looked at may be there or not.
    var isThere: Bool {
        switch self {
        case .missing, .unreadable(.failed), .unreadable(.noPlace): false
        case .bytes, .unreadable(.notRegular), .unreadable(.tooLarge): true
        }
    }
}

/// A content with its place in the order in which a core published them.
struct Publication: Sendable {
    let number: UInt64
    let content: Content
    /// False while a foreign writer may not be done: then neither "missing" nor what does not decode counts yet.
    let isSettled: Bool
    /// Whether this process wrote it.
    let isOwn: Bool
}

/// How long a foreign writer is given after it last did something to the file.
enum SettleTime {
    static let nanoseconds: Int64 = 50_000_000
    static let duration = Duration.nanoseconds(nanoseconds)
}
