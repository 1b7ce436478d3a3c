import SystemCalls

extension FileLock {
    /// Opens a lock file in the control directory, and makes it where it is missing.
    static func open(_ name: String, in control: Directory, _ sharing: Sharing) throws(Errno) -> FileLock {
        let file = try openFile(name, in: control, sharing)
        let status = try file.status()
        if status.kind != .regular { throw .invalid }
        // Others may have made it for more; what is missing is added where it is ours to add.
        let permissions = status.permissions | sharing.filePermissions
        if permissions != status.permissions, status.owner == CurrentProcess.effectiveUser {
            try file.setPermissions(permissions)
        }
        return FileLock(file)
    }

    /// Once more where somebody is just about to open it, or the directory.
    private static func openFile(
        _ name: String, in control: Directory, _ sharing: Sharing
    ) throws(Errno) -> FileDescriptor {
        var making = ConcurrentCreation(until: sharing.filePermissions)
        while true {
            do throws(Errno) {
                return try control.open(
                    name, [.readWrite, .create, .nonBlocking], permissions: sharing.filePermissions)
            } catch .accessDenied {
                let mayBeOver = making.mayHaveRefused { () throws(Errno) in
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
}
