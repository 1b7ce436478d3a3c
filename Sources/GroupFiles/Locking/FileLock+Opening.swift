import SystemCalls

extension FileLock {
    /// Opens a lock file in the control directory, and creates it if it is missing. If it is shared with a group, that
    /// is this `group`.
    ///
    /// EINVAL for a file that is not a lock file, and also for a hard link of somebody's file, which we would write
    /// into.
    static func open(
        _ name: String, in control: Directory, _ sharing: Sharing, group: UInt32
    ) throws(Errno) -> FileLock {
        if sharing == .owner, control.isAnothersForRoot, let made = makeForOwner(name, in: control) { return made }
        let file = try openFile(name, in: control, sharing)
        let status = try file.status()
        if status.kind != .regular { throw .invalid }
        if try isAnothers(file, status) { throw .invalid }
        if status.owner == CurrentProcess.effectiveUser { try share(file, status, sharing, group) }
        return FileLock(file)
    }

    /// Creates a lock of root's in another user's directory, and gives it to that user. A file that is there already is
    /// not given away: an empty file that was moved or linked there may be one of root's that is about to be filled.
    /// Nil if something has the name, or for an error, which the caller will meet again.
    private static func makeForOwner(_ name: String, in control: Directory) -> FileLock? {
        do throws(Errno) {
            let file = try control.open(
                name, [.readWrite, .create, .exclusive], permissions: Sharing.owner.filePermissions)
            let status = try file.status()
            try share(file, status, .owner, control.group)
            control.handOver(file, status)
            return FileLock(file)
        } catch {
            return nil
        }
    }

    /// Whether a file has another name, and is not a lock file. A lock file that was copied as a hard link may be used:
    /// it is locked together with its copy.
    static func isAnothers(_ file: borrowing FileDescriptor, _ status: FileStatus) throws(Errno) -> Bool {
        if status.links <= 1 { return false }
        return !LockRecord.isRecord(try file.readStart(LockRecord.longest))
    }

    /// Adds the permissions that are missing, and removes none: others may have created it with more.
    private static func share(
        _ file: borrowing FileDescriptor, _ status: FileStatus, _ sharing: Sharing, _ group: UInt32
    ) throws(Errno) {
        if sharing == .group, status.group != group {
            // If we may not do that, it is shared with the group that it has.
            do throws(Errno) { try file.setGroup(group) } catch {}
        }
        let permissions = status.permissions | sharing.filePermissions
        if permissions != status.permissions { try file.setPermissions(permissions) }
    }

    /// Opens or creates the file. Tries again if another process is just about to add permissions to the file, or to
    /// the directory; or if the file is ours, and its permissions kept us out.
    private static func openFile(
        _ name: String, in control: Directory, _ sharing: Sharing
    ) throws(Errno) -> FileDescriptor {
        var making = ConcurrentCreation(until: sharing.filePermissions)
        while true {
            do throws(Errno) {
                return try control.open(
                    name, [.readWrite, .create, .nonBlocking], permissions: sharing.filePermissions)
            } catch .accessDenied {
                if try openUp(name, in: control, sharing) { continue }
                let mayBeOver = making.pausesIfRefusedTooEarly { () throws(Errno) in
                    do throws(Errno) {
                        return try control.status(of: name)
                    } catch .accessDenied {
                        return try control.descriptor.status()
                    }
                }
                if !mayBeOver { throw .accessDenied }
            }
        }
    }

    /// Adds the permissions that are missing. True if the file is ours, and its owner could not use it.
    private static func openUp(_ name: String, in control: Directory, _ sharing: Sharing) throws(Errno) -> Bool {
        do throws(Errno) {
            let status = try control.status(of: name)
            let wanted = status.permissions | sharing.filePermissions
            if status.kind != .regular || status.owner != CurrentProcess.effectiveUser { return false }
            if status.permissions & 0o600 == 0o600 { return false }
            try control.setPermissions(wanted, of: name)
            return true
        } catch  where error == .noEntry || error == .accessDenied || error == .notSupported {
            return false
        }
    }
}
