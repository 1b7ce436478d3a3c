import CSystemCalls
import Glibc

/// Calls on whole paths.
package enum Path {
    /// fstatat(2), through symbolic links.
    package static func status(of path: String) throws(Errno) -> FileStatus {
        try FileStatus.of(path, in: AT_FDCWD, followsLink: true)
    }

    /// fstatat(2), of a symbolic link itself.
    package static func linkStatus(of path: String) throws(Errno) -> FileStatus {
        try FileStatus.of(path, in: AT_FDCWD, followsLink: false)
    }

    /// Whether a regular file is there, or what a link leads to, as far as can be told.
    package static func isRegularFile(_ path: String) -> Bool {
        do throws(Errno) { return try status(of: path).kind == .regular } catch { return false }
    }

    /// access(2): whether names can be made in a directory; EACCES where they cannot.
    package static func checkMayWrite(in directory: String) throws(Errno) {
        try perform(.access, directory) { unsafe access(directory, W_OK | X_OK) }
    }

    /// The same, as a Boolean.
    package static func mayWrite(in directory: String) throws(Errno) -> Bool {
        do throws(Errno) {
            try checkMayWrite(in: directory)
            return true
        } catch .accessDenied {
            return false
        }
    }

    /// statx(2): whether something is mounted at this very path. False if the kernel does not report it.
    package static func isMountPoint(_ path: String) throws(Errno) -> Bool {
        try perform(.statx, path) { unsafe cs_is_mount_point(path) } == 1
    }

    /// statx(2): whether both lead to the same file in the same mount. False if the second leads nowhere, or may not be
    /// followed.
    package static func isSamePlace(_ one: String, _ other: String) throws(Errno) -> Bool {
        let answer: Int32
        do throws(Errno) {
            answer = try perform(.statx, one) { unsafe cs_is_same_place(one, other) }
        } catch {
            _ = try status(of: one)
            return false
        }
        return try answer == 2 ? isSameMount(one, other) : answer == 1
    }

    /// The same for kernels whose statx(2) does not report mounts: by /proc, and true if that is not mounted.
    package static func isSameMount(_ one: String, _ other: String) throws(Errno) -> Bool {
        let first = try FileDescriptor.open(one, .pathOnly)
        let second = try FileDescriptor.open(other, .pathOnly)
        do throws(Errno) {
            return try ProcessTable.mount(of: first) == ProcessTable.mount(of: second)
        } catch .noEntry {
            return true
        }
    }

    /// Whether a directory is on /proc: what its links lead to is up to the kernel, which reports no change of it.
    package static func isOfProcesses(_ directory: String) throws(Errno) -> Bool {
        let processes: Int64 = 0x9FA0
        return try fileSystemType(of: directory) == processes
    }

    /// statfs(2): f_type.
    package static func fileSystemType(of path: String) throws(Errno) -> Int64 {
        var type: Int64 = -1
        try perform(.statfs, path) {
            type = unsafe cs_statfs_type(path)
            return type < 0 ? -1 : 0
        }
        return type
    }

    /// readlinkat(2); EILSEQ where it is not UTF-8.
    package static func linkTarget(of path: String) throws(Errno) -> String {
        guard let target = String(validating: try linkBytes(of: path), as: UTF8.self) else {
            throw .illegalByteSequence
        }
        return target
    }

    /// readlinkat(2), byte for byte.
    package static func linkBytes(of path: String) throws(Errno) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        var span = bytes.mutableSpan
        let count = try unsafe span.withUnsafeMutableBytes { buffer throws(Errno) in
            guard let start = buffer.baseAddress else { return 0 }
            return try perform(.readlinkat, bytes: buffer.count, path) {
                unsafe readlinkat(AT_FDCWD, path, start.assumingMemoryBound(to: CChar.self), $0)
            }
        }
        return bytes.prefix(count)
    }

    /// Whether both are on one file system, by stat(2).
    package static func isSameFileSystem(_ one: String, _ other: String) throws(Errno) -> Bool {
        try status(of: one).identity.device == status(of: other).identity.device
    }

    /// mkdirat(2) for each missing component, as `mkdir -p`. Those that it makes get exactly these permissions,
    /// whatever the umask, and their parents are synced: a power cut must not take what is made durable in them.
    package static func makeDirectories(
        _ path: String, permissions: UInt32, ofParents: @autoclosure () -> UInt32 = 0o700
    ) throws(Errno) {
        do throws(Errno) {
            return try makeDirectory(path, permissions: permissions)
        } catch  where error == .noEntry || error == .accessDenied {
            // Another process may be creating the parent, and not have opened it to others yet: this is waited for
            // there.
            guard let parent = beforeLastSlash(path), !parent.isEmpty else { throw error }
            let permissions = ofParents()
            try makeDirectories(parent, permissions: permissions, ofParents: permissions)
        }
        // Retried once only: in some directories, such as /proc, none can be made, and the error is the same.
        try makeDirectory(path, permissions: permissions)
    }

    /// mkdirat(2), and fchmod(2) if the umask or the file system gave it other permissions. An existing directory is
    /// left as it is.
    private static func makeDirectory(_ path: String, permissions: UInt32) throws(Errno) {
        do throws(Errno) {
            try perform(.mkdirat, path) { unsafe mkdirat(AT_FDCWD, path, permissions & 0o777) }
        } catch .exists {
            return try checkDirectory(path, permissions: permissions)
        }
        do throws(Errno) {
            if try linkStatus(of: path).permissions != permissions { try setPermissions(permissions, of: path) }
        } catch {
            // If it stayed, its permissions would be taken for intended the next time.
            do throws(Errno) { try perform(.unlinkat, path) { unsafe unlinkat(AT_FDCWD, path, AT_REMOVEDIR) } } catch {}
            throw error
        }
        try syncName(of: path)
    }

    /// What exists may be something else, or a link that leads nowhere. If another user is just creating it for his
    /// group, this waits until it is complete: before, the caller would be refused, or would create in it what is not
    /// the group's.
    private static func checkDirectory(_ path: String, permissions: UInt32) throws(Errno) {
        let making = ConcurrentCreation(until: permissions)
        do throws(Errno) {
            var found = try status(of: path)
            while found.kind == .directory, making.isUnderWay(found) { found = try status(of: path) }
            if found.kind != .directory { throw .notDirectory }
        } catch .noEntry {
            // A directory that has just vanished can be made again; a link to nothing does not go away by itself.
            do throws(Errno) {
                if try linkStatus(of: path).kind == .symbolicLink { throw .notDirectory }
            } catch .noEntry {}
        }
    }

    /// Gives a directory of ours the permissions that ``makeDirectories(_:permissions:ofParents:)`` was to give it, if
    /// its creator seems to have been killed before that: it is empty, and has no permissions but some of these.
    package static func finishDirectory(_ path: String, permissions: UInt32) {
        do throws(Errno) {
            // A link is left to its owner.
            let found = try linkStatus(of: path)
            if found.kind != .directory || found.owner != CurrentProcess.effectiveUser || found.links > 2 { return }
            // It may have inherited the set-group-ID bit.
            if found.permissions == permissions || found.permissions & ~(permissions | 0o2000) != 0 { return }
            if try Directory.names(at: path).isEmpty { try setPermissions(permissions, of: path) }
        } catch {
            // It stays as it is then, and a caller that it shuts out gets an error.
        }
    }

    /// fchmod(2) of a directory, never through a symbolic link: somebody else may put one in the place of the new
    /// directory.
    private static func setPermissions(_ permissions: UInt32, of path: String) throws(Errno) {
        do throws(Errno) {
            try FileDescriptor.open(path, [.readOnly, .directory, .noFollow]).setPermissions(permissions)
        } catch .accessDenied {
            // The umask has masked the owner's permission to open it. EOPNOTSUPP on older kernels without /proc.
            try perform(.fchmodat, path) { unsafe fchmodat(AT_FDCWD, path, permissions, AT_SYMLINK_NOFOLLOW) }
        }
    }

    /// fsync(2) of the directory that the path's last component is in.
    private static func syncName(of path: String) throws(Errno) {
        guard let parent = beforeLastSlash(path) else { return }
        do throws(Errno) {
            try FileDescriptor.open(parent + "/", [.readOnly, .directory]).sync()
        } catch .accessDenied {
            // It may be entered but not read; syncing it is left to its owner.
        } catch .invalid {
            // A file system that cannot sync directories.
        }
    }

    /// An absolute path without `.`, empty components and final slashes; `..` stays, because a link may precede it.
    package static func absolute(_ path: String) throws(Errno) -> String {
        var components = components(path)
        if !isAbsolute(path) { components = Self.components(try currentDirectory()) + components }
        // By hand: the library's `joined` is not specialized for these, and has to look for their conformances first.
        var absolute = components.isEmpty ? "/" : ""
        for component in components {
            absolute += "/"
            absolute += String(component)
        }
        return absolute
    }

    /// getcwd(3); EILSEQ where it is not UTF-8, EXDEV where the path does not lead there: something was mounted over
    /// it, or it is in another mount namespace. If the path may not be followed, that cannot be checked.
    private static func currentDirectory() throws(Errno) -> String {
        var last = ""
        while true {
            let path = try textOfCurrentDirectory()
            if try isSamePlace(".", path) || isClosed(path) { return path }
            // It may just have been moved: only the same path twice is an error.
            if ExactName(path) == ExactName(last) { throw .crossDevice }
            last = path
        }
    }

    /// Whether the path cannot be followed from outside, because a directory above is closed to this process.
    package static func isClosed(_ path: String) -> Bool {
        do throws(Errno) {
            _ = try status(of: path)
            return false
        } catch {
            return error == .accessDenied
        }
    }

    private static func textOfCurrentDirectory() throws(Errno) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let found = unsafe bytes.withUnsafeMutableBufferPointer { unsafe getcwd($0.baseAddress, $0.count) != nil }
        if !found { throw .current }
        let path = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        guard let path = String(validating: path, as: UTF8.self) else { throw .illegalByteSequence }
        return path
    }
}
