import SystemCalls

/// A file that this process wrote and published: as long as it looks the same, its content need not be read.
///
/// To be relied on only where ``FileTimes`` tell versions apart. That the kernel was asked for its times once it had
/// been written is what gives the next change of it another time.
final class WrittenFile: Sendable {
    let content: Content
    /// How it looked once it was written.
    let status: FileStatus
    /// By ``FileClock``, when it had been published.
    let published: Int64

    init(_ content: Content, _ status: FileStatus, published: Int64) {
        self.content = content
        self.status = status
        self.published = published
    }

    /// Whether a file that looks like this surely is this one, unchanged. Publishing changed the change time, which is
    /// compared because the time of the last modification can be set to what it was.
    func isUnchanged(_ found: FileStatus) -> Bool {
        found.isSameVersion(as: status) && found.changed <= published
    }
}

extension FileStatus {
    /// Whether it is the same file, and was not modified since. It may have got another name, or other permissions.
    func isSameVersion(as other: FileStatus) -> Bool {
        identity == other.identity && size == other.size && modified == other.modified
    }
}
