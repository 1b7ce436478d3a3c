import Glibc

/// The error of a system call: errno(3).
package struct Errno: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// What the last failed call of this thread left behind.
    static var current: Errno { Errno(rawValue: errno) }

    package var description: String {
        if self == .illegalByteSequence { return "a name in the path is not UTF-8" }
        var text = [CChar](repeating: 0, count: 128)
        unsafe strerror_r(rawValue, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Errno {
    package static let notPermitted = Errno(rawValue: EPERM)
    package static let noEntry = Errno(rawValue: ENOENT)
    package static let interrupted = Errno(rawValue: EINTR)
    package static let inputOutput = Errno(rawValue: EIO)
    static let badDescriptor = Errno(rawValue: EBADF)
    package static let wouldBlock = Errno(rawValue: EWOULDBLOCK)
    package static let accessDenied = Errno(rawValue: EACCES)
    package static let busy = Errno(rawValue: EBUSY)
    package static let crossDevice = Errno(rawValue: EXDEV)
    package static let exists = Errno(rawValue: EEXIST)
    package static let notDirectory = Errno(rawValue: ENOTDIR)
    package static let isDirectory = Errno(rawValue: EISDIR)
    package static let invalid = Errno(rawValue: EINVAL)
    package static let fileTableFull = Errno(rawValue: ENFILE)
    package static let noMemory = Errno(rawValue: ENOMEM)
    package static let tooManyOpenFiles = Errno(rawValue: EMFILE)
    package static let noSpace = Errno(rawValue: ENOSPC)
    /// What write returns beyond the limit of file sizes, where SIGXFSZ is ignored.
    package static let fileTooLarge = Errno(rawValue: EFBIG)
    package static let quotaExceeded = Errno(rawValue: EDQUOT)
    package static let readOnlyFileSystem = Errno(rawValue: EROFS)
    package static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
    package static let noSystemCall = Errno(rawValue: ENOSYS)
    /// What flock returns if the file system, or its server, has no locks.
    package static let noLocks = Errno(rawValue: ENOLCK)
    package static let notSupported = Errno(rawValue: EOPNOTSUPP)
    package static let tooManyLinks = Errno(rawValue: ELOOP)
    package static let noDeviceOrAddress = Errno(rawValue: ENXIO)
    /// What pread returns for a FIFO, a socket or a terminal, which have no offsets.
    package static let illegalSeek = Errno(rawValue: ESPIPE)
    /// What calls return for an attribute that the file does not have.
    static let noData = Errno(rawValue: ENODATA)
    /// What calls return for a file system in user space whose server is gone.
    package static let notConnected = Errno(rawValue: ENOTCONN)
    package static let brokenPipe = Errno(rawValue: EPIPE)
    package static let noProcess = Errno(rawValue: ESRCH)
    static let noChild = Errno(rawValue: ECHILD)
    /// Also for a path from the kernel that is not UTF-8: repaired, it would be another path.
    package static let illegalByteSequence = Errno(rawValue: EILSEQ)

    /// Whether no descriptor was left: to this process, or on the whole machine.
    package var isWantOfDescriptors: Bool { self == .tooManyOpenFiles || self == .fileTableFull }

    /// What pread returns for what is not a regular file.
    package var isOfNoFile: Bool { self == .illegalSeek || self == .isDirectory }

    /// Whether the path leads to nothing. With any other error there may be something that cannot be examined.
    package var isNotFound: Bool { self == .noEntry || self == .notDirectory }

    /// Whether a path that could not be followed may lead to something all the same.
    package var leavesOpenWhatIsThere: Bool {
        switch self {
        case .noEntry, .notDirectory, .tooManyLinks, .illegalByteSequence, .crossDevice: false
        default: true
        }
    }

    /// What renameat2 returns if it, or one of its flags, is not supported.
    package var isUnknownFlag: Bool { self == .invalid || self == .noSystemCall || self == .notSupported }

    /// What linkat returns if the file system cannot link; also if this file may not be linked.
    package var isUnknownLink: Bool { self == .notPermitted || self == .noSystemCall || self == .notSupported }
}
