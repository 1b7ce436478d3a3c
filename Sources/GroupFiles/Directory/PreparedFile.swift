import SystemCalls

/// A file that was written beside a value, to take its place. A class, because copying its parts would cost each write
/// more.
final class PreparedFile: Sendable {
    let content: Content
    /// How it looked once it was written.
    let status: FileStatus
    /// The permissions that it was given after that.
    let permissions: UInt32
    /// The group of the file that had the value's name then.
    let replacedGroup: UInt32

    init(_ content: Content, _ status: FileStatus, permissions: UInt32, replacedGroup: UInt32) {
        self.content = content
        self.status = status
        self.permissions = permissions
        self.replacedGroup = replacedGroup
    }
}
