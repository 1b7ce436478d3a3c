import SystemCalls

/// `.groupfile` in a container: locks, temporary files, and content that was kept for its user.
package enum ControlDirectory {
    package static let name = ".groupfile"

    /// Opens the control directory, and so pins it; creates it if it is missing. A link in its place is not followed.
    static func open(in directory: Directory, sharing: Sharing) throws(Errno) -> Directory {
        var making = ConcurrentCreation(until: sharing.directoryPermissions)
        while true {
            do throws(Errno) {
                return try enter(directory, sharing)
            } catch .accessDenied {
                let mayBeOver = making.pausesIfRefusedTooEarly { () throws(Errno) in try directory.descriptor.status() }
                if !mayBeOver { throw .accessDenied }
            }
        }
    }

    private static func enter(_ directory: Directory, _ sharing: Sharing) throws(Errno) -> Directory {
        let control: Directory
        do throws(Errno) { control = try Directory(name, in: directory) } catch .noEntry {
            try make(in: directory, sharing: sharing)
            control = try Directory(name, in: directory)
        }
        if isTrap(ownedBy: control.owner, in: directory.permissions, of: directory.owner) { throw .accessDenied }
        return control
    }

    /// Whether root must keep out of the control directory. In a sticky directory where everybody may write, such as
    /// /tmp, it may belong to a user other than the directory's owner, who could exchange root's files in it before
    /// they are published. Users are kept out by its permissions.
    package static func isTrap(ownedBy owner: UInt32, in permissions: UInt32, of directoryOwner: UInt32) -> Bool {
        CurrentProcess.effectiveUser == 0 && permissions & 0o1002 == 0o1002 && ![0, directoryOwner].contains(owner)
    }

    /// Gives the control directory the container's group, if it is shared with that, and adds the permissions that it
    /// lacks. Removes none: others may have created it with more. If another user is just about to add them, this
    /// waits.
    static func widen(_ control: Directory, for sharing: Sharing, in container: Directory) throws(Errno) {
        let wanted = sharing.directoryPermissions
        if sharing == .group, control.group != container.group {
            // If we may not do that, it stays shared with the group that it has.
            do throws(Errno) { try control.descriptor.setGroup(container.group) } catch {}
        }
        if control.permissions & wanted == wanted { return }
        // Only these bits are worth a wait: a missing set-group-ID bit harms nobody, and would delay every change of a
        // value.
        let making = ConcurrentCreation(until: wanted & 0o777)
        while true {
            // It has been pinned for a while, so its permissions may have changed.
            let status = try control.descriptor.status()
            if status.permissions & wanted == wanted { return }
            do throws(Errno) {
                return try control.descriptor.setPermissions(status.permissions | wanted)
            } catch {
                // If we may not do that, opening the lock shows whether they are needed.
                if !making.pausesIfUnderWay(status) { return }
            }
        }
    }

    private static func make(in directory: Directory, sharing: Sharing) throws(Errno) {
        do throws(Errno) {
            try directory.makeDirectory(name, permissions: sharing.directoryPermissions & 0o777)
        } catch .exists {
            return
        }
        do throws(Errno) {
            let made: FileDescriptor
            do throws(Errno) { made = try directory.open(name, [.readOnly, .directory]) } catch .accessDenied {
                // The umask has taken away the owner's permission to open it.
                return try directory.setPermissions(sharing.directoryPermissions, of: name)
            }
            try setPermissions(sharing.directoryPermissions, of: made)
            if sharing == .owner { directory.handOver(directory: name) }
        } catch {
            // If it stayed, its permissions would pass for intended ones the next time.
            do throws(Errno) { try directory.removeDirectory(name) } catch {}
            throw error
        }
    }

    private static func setPermissions(_ wanted: UInt32, of made: borrowing FileDescriptor) throws(Errno) {
        let given = try made.status().permissions
        if given == wanted { return }
        do throws(Errno) {
            try made.setPermissions(wanted)
        } catch {
            // A sandbox (RestrictSUIDSGID= or DynamicUser= of systemd) lets nobody set the set-group-ID bit. The
            // control directory already has that bit from its container, and the others can be set in another way.
            guard error == .notPermitted, given & 0o7000 == wanted & 0o7000 else { throw error }
            try made.setAccessControlList(AccessControlList(permissions: wanted), .own)
        }
    }
}
