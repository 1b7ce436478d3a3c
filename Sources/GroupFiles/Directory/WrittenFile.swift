import SystemCalls

/// A file that this process wrote and published: as long as it looks the same, its content need not be read.
///
/// Reliable only where ``FileTimes`` tell versions apart. There the next change of the file gets a new time, because
/// the kernel was asked for the file's times after it had been written.
final class WrittenFile: Sendable {
    private let file: PreparedFile
    /// When it had been published, by ``FileClock``.
    private let published: Int64

    init(_ file: PreparedFile, published: Int64) {
        self.file = file
        self.published = published
    }

    var content: Content { file.content }

    /// Whether a file that looks like this certainly is this one, unchanged. The change time is compared, although
    /// publishing has changed it, because the time of the last modification can be set to what it was. The permissions
    /// are compared, too: a change of them just after the publication may have the same time, and take from this
    /// process the right to read the file.
    func isUnchanged(_ found: FileStatus) -> Bool {
        found.isSameVersion(as: file.status) && found.changed <= published && found.permissions == file.permissions
    }
}

extension FileStatus {
    /// Whether it is the same file, and was not modified since. It may have got another name, or other permissions.
    func isSameVersion(as other: FileStatus) -> Bool {
        identity == other.identity && size == other.size && modified == other.modified
    }
}
