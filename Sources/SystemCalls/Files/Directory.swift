import CSystemCalls
import Glibc

/// A pinned directory: names below it are looked up in this very directory, wherever it is moved to.
package final class Directory: Sendable {
    package let descriptor: FileDescriptor
    package let identity: FileIdentity
    /// Permission bits as they were when it was opened.
    package let permissions: UInt32
    /// Who owned it then, and which group.
    package let owner: UInt32
    package let group: UInt32
    /// Whether it gives an access control list to what is made in it, once that is known; guarded by its lock.
    private let listGiven = Guarded<Bool?>(nil)

    private init(_ descriptor: consuming FileDescriptor) throws(Errno) {
        let status = try descriptor.status()
        identity = status.identity
        permissions = status.permissions
        owner = status.owner
        group = status.group
        self.descriptor = descriptor
    }

    /// open(2) with O_DIRECTORY; with O_PATH where it may be entered but not listed.
    package convenience init(path: String) throws(Errno) {
        try self.init { flags throws(Errno) in try FileDescriptor.open(path, flags) }
    }

    /// openat(2) with O_DIRECTORY, of a directory below `parent` that is no symbolic link; with O_PATH where it may be
    /// entered but not listed.
    package convenience init(_ name: String, in parent: Directory) throws(Errno) {
        try self.init { flags throws(Errno) in try parent.open(name, flags) }
    }

    private convenience init(_ open: (OpenFlags) throws(Errno) -> FileDescriptor) throws(Errno) {
        let descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = try open([.readOnly, .directory])
        } catch .accessDenied {
            descriptor = try open([.pathOnly, .directory])
        }
        try self.init(descriptor)
    }

    /// fstatfs(2): f_type.
    package var fileSystemType: Int64 {
        get throws(Errno) {
            let raw = descriptor.rawValue
            var type: Int64 = -1
            try perform(.fstatfs, "\(raw)") {
                type = cs_fstatfs_type(raw)
                return type < 0 ? -1 : 0
            }
            return type
        }
    }

    /// Whether it gives an access control list to what is created in it. Looked up once.
    package var givesAccessControlList: Bool {
        listGiven.withLock { known in
            if let known { return known }
            let isGiven = AccessControlList.isGiven(in: descriptor)
            known = isGiven
            return isGiven
        }
    }

    /// openat(2), close-on-exec, never through a symbolic link.
    package func open(
        _ name: String, _ flags: OpenFlags, permissions: UInt32 = 0
    ) throws(Errno) -> FileDescriptor {
        let raw = descriptor.rawValue
        return FileDescriptor(
            owning: try performOpening(.openat, name) {
                unsafe name.withCString {
                    unsafe openat(raw, $0, flags.rawValue | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, permissions)
                }
            })
    }

    /// fstatat(2), of a symbolic link itself.
    package func status(of name: String) throws(Errno) -> FileStatus {
        try FileStatus.of(name, in: descriptor.rawValue, followsLink: false)
    }

    /// fchmodat(2), never through a symbolic link: EOPNOTSUPP for one, and where there is no /proc.
    package func setPermissions(_ permissions: UInt32, of name: String) throws(Errno) {
        let raw = descriptor.rawValue
        try perform(.fchmodat, name) { unsafe fchmodat(raw, name, permissions, AT_SYMLINK_NOFOLLOW) }
    }

    /// Whether this process is root's, and the directory another user's: see ``handOver(_:_:)``.
    package var isAnothersForRoot: Bool { owner != 0 && CurrentProcess.effectiveUser == 0 }

    /// fchown(2): gives what root has just made in a directory of another user to that user, who could not even read it
    /// otherwise; unless everybody may write there. It has to be new: what somebody else has put in its place must not
    /// be given away, even if it is empty.
    package func handOver(_ made: borrowing FileDescriptor, _ status: FileStatus) {
        guard status.owner == 0, owner != 0 else { return }
        do throws(Errno) {
            // The directory has been pinned for a while, and may be somebody else's by now.
            let now = try descriptor.status()
            guard now.owner != 0, now.permissions & 0o002 == 0 else { return }
            try made.setOwner(now.owner, group: now.group)
        } catch {
            // A file system, or a user namespace, may not have that owner: then it stays as it is.
        }
    }

    /// The same for a directory that root has just made under this name. Another directory of root's that was put in
    /// its place stays as it is, unless that is empty, too: whoever put it there could have removed it.
    package func handOver(directory name: String) {
        guard isAnothersForRoot else { return }
        do throws(Errno) {
            let made = try Directory(name, in: self)
            let status = try made.descriptor.status()
            if try made.names().isEmpty { handOver(made.descriptor, status) }
        } catch {
            // The directory is gone already, or something else is in its place.
        }
    }

    /// mkdirat(2). The umask applies, so the permissions have to be set afterwards.
    package func makeDirectory(_ name: String, permissions: UInt32) throws(Errno) {
        let raw = descriptor.rawValue
        try perform(.mkdirat, name) { unsafe mkdirat(raw, name, permissions) }
    }

    /// renameat2(2), to a name in `other`, or in this directory. `exchange` and `noReplace` fail with EINVAL if the
    /// file system does not support them.
    package func rename(
        _ old: String, to new: String, in other: Directory? = nil, _ mode: RenameMode
    ) throws(Errno) {
        let raw = descriptor.rawValue
        let otherRaw = other?.descriptor.rawValue ?? raw
        switch mode {
        case .replace:
            try perform(.renameat, "\(old) \(new)") { unsafe renameat(raw, old, otherRaw, new) }
        case .exchange:
            try perform(.renameat2, "\(old) \(new) exchange") {
                unsafe old.withCString { old in
                    unsafe new.withCString { unsafe cs_renameat2(raw, old, otherRaw, $0, cs_rename_exchange) }
                }
            }
        case .noReplace:
            try perform(.renameat2, "\(old) \(new) noreplace") {
                unsafe cs_renameat2(raw, old, otherRaw, new, cs_rename_noreplace)
            }
        }
    }

    package enum RenameMode: Sendable {
        case replace, exchange, noReplace
    }

    /// linkat(2), to a name in `other`, or in this directory.
    package func link(_ old: String, to new: String, in other: Directory? = nil) throws(Errno) {
        let raw = descriptor.rawValue
        let otherRaw = other?.descriptor.rawValue ?? raw
        try perform(.linkat, "\(old) \(new)") { unsafe linkat(raw, old, otherRaw, new, 0) }
    }

    /// unlinkat(2).
    package func unlink(_ name: String) throws(Errno) {
        let raw = descriptor.rawValue
        try perform(.unlinkat, name) { unsafe name.withCString { unsafe unlinkat(raw, $0, 0) } }
    }

    /// unlinkat(2) with AT_REMOVEDIR.
    package func removeDirectory(_ name: String) throws(Errno) {
        let raw = descriptor.rawValue
        try perform(.unlinkat, name) { unsafe unlinkat(raw, name, AT_REMOVEDIR) }
    }

    /// fsync(2) of the directory itself; EACCES where it may be entered but not listed.
    package func sync() throws(Errno) {
        do throws(Errno) {
            try descriptor.sync()
        } catch .badDescriptor {
            throw .accessDenied  // Opened with O_PATH, because no more was allowed.
        }
    }
}
