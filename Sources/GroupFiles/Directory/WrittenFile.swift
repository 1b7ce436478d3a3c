import SystemCalls

/// A file that this process wrote and published: as long as it looks the same, its content need not be read.
///
/// To be relied on only where ``FileTimes`` tell versions apart. That the kernel was asked for its times once it had
/// been written is what gives the next change of it another time.
final class WrittenFile: Sendable {
    private let file: PreparedFile
    /// By ``FileClock``, when it had been published.
    private let published: Int64

    init(_ file: PreparedFile, published: Int64) {
        self.file = file
        self.published = published
    }

    var content: Content { file.content }

    /// Whether a file that looks like this surely is this one, unchanged. Publishing changed the change time, which is
    /// compared because the time of the last modification can be set to what it was. So are the permissions: a change of
    /// them just after that may have the same time, and take from this process the right to read the file.
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
