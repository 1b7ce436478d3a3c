import Glibc

/// Making directories.
extension Path {
    /// mkdirat(2) for each missing component, as `mkdir -p`. Those that it makes get exactly these permissions,
    /// whatever the umask, and their parents are synced: a power cut must not take what is made durable in them.
    package static func makeDirectories(
        _ path: String, permissions: UInt32, ofParents: @autoclosure () -> UInt32
    ) throws(Errno) {
        do throws(Errno) {
            return try makeDirectory(path, permissions: permissions)
        } catch  where error == .noEntry || error == .accessDenied {
            // Another process may be creating the parent, and not have opened it to others yet: the call for the parent
            // waits for that.
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
            // If the directory stayed, the next call would take its permissions for intended.
            do throws(Errno) { try perform(.unlinkat, path) { unsafe unlinkat(AT_FDCWD, path, AT_REMOVEDIR) } } catch {}
            throw error
        }
        if permissions & 0o070 == 0 { handOver(path) }
        try syncName(of: path)
    }

    /// Gives a directory that root has made for another user, and for nobody else, to that user.
    private static func handOver(_ path: String) {
        guard CurrentProcess.effectiveUser == 0, let parent = beforeLastSlash(path) else { return }
        do throws(Errno) {
            try Directory(path: parent + "/").handOver(directory: afterLastSlash(path))
        } catch {
            // It stays as it is.
        }
    }

    /// Checks what exists, which may be something else, or a link that leads nowhere. If another user is just creating
    /// the directory for a group, this waits until it is complete: before that, the caller would be refused, or what
    /// the caller creates in it would not be the group's.
    private static func checkDirectory(_ path: String, permissions: UInt32) throws(Errno) {
        let making = ConcurrentCreation(until: permissions)
        do throws(Errno) {
            var found = try status(of: path)
            while found.kind == .directory, making.pausesIfUnderWay(found) { found = try status(of: path) }
            if found.kind != .directory { throw .notDirectory }
        } catch .noEntry {
            // A directory that has just vanished can be made again; a link to nothing does not go away by itself.
            do throws(Errno) {
                if try linkStatus(of: path).kind == .symbolicLink { throw .notDirectory }
            } catch .noEntry {}
        }
    }

    /// Whether a directory could not be made because those above it are being removed. ENOENT alone does not say so:
    /// some directories, such as /proc, return it because nothing can be made in them.
    package static func isWayBeingRemoved(to path: String) -> Bool {
        var above = beforeLastSlash(path) ?? ""
        var isParent = true
        while !above.isEmpty {
            do throws(Errno) {
                return try !isOfProcesses(above) && !isParent
            } catch {
                if error != .noEntry { return false }
            }
            above = beforeLastSlash(above) ?? ""
            isParent = false
        }
        return !isParent
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
}
