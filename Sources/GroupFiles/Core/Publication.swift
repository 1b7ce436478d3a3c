/// A content with its place in the order in which a core published them.
struct Publication: Sendable {
    let number: UInt64
    let content: Content
    /// False while a foreign writer may not be done: then neither "missing" nor content that does not decode counts
    /// yet.
    let isSettled: Bool
    /// Whether somebody wrote it in place just now, and so may not be done even though it is a value.
    let mayBeHalf: Bool
    /// Whether this process wrote it.
    let isOwn: Bool
}
