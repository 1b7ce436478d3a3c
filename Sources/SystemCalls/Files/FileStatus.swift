import Glibc

/// What stat(2) returns for a file.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Sendable {
        case regular, directory, symbolicLink, fifo, socket, device
    }

    package let identity: FileIdentity
    package let kind: Kind
    /// Permission bits alone, 0…07777.
    package let permissions: UInt32
    package let size: Int
    package let links: Int
    package let owner: UInt32
    package let group: UInt32
    /// Nanoseconds since 1970, from 1677 to 2262. They do not identify versions: times are coarse, and can be set.
    package let modified: Int64
    package let changed: Int64

    init(_ raw: stat) {
        identity = FileIdentity(device: UInt64(raw.st_dev), inode: UInt64(raw.st_ino))
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            case S_IFIFO: .fifo
            case S_IFSOCK: .socket
            default: .device
            }
        permissions = raw.st_mode & 0o7777
        size = Int(raw.st_size)
        links = Int(raw.st_nlink)
        owner = raw.st_uid
        group = raw.st_gid
        modified = Self.nanoseconds(raw.st_mtim)
        changed = Self.nanoseconds(raw.st_ctim)
    }

    /// fstatat(2), of a symbolic link itself or of what it leads to.
    static func of(_ name: String, in directory: Int32, followsLink: Bool) throws(Errno) -> FileStatus {
        var raw = stat()
        try perform(.fstatat, name) {
            unsafe name.withCString { unsafe fstatat(directory, $0, &raw, followsLink ? 0 : AT_SYMLINK_NOFOLLOW) }
        }
        return FileStatus(raw)
    }

    /// fstat(2).
    static func of(descriptor: Int32) throws(Errno) -> FileStatus {
        var raw = stat()
        try perform(.fstat, "\(descriptor)") { unsafe fstat(descriptor, &raw) }
        return FileStatus(raw)
    }

    /// A file's times can be set to anything: what is out of range is clamped.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isFarther) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isTooFar || isFarther ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    package var fingerprint: Fingerprint { Fingerprint(self) }
}
