import SystemCalls

/// `.groupfile` in a container: locks, temporary files, and content that was kept for its user.
package enum ControlDirectory {
    package static let name = ".groupfile"

    /// What an old value is called beside the temporary file that replaces it, where names cannot be exchanged.
    static func oldName(beside temporary: String) -> String { temporary + ".old" }

    /// Pins it, and makes it where it is missing. A link in its place is not followed.
    static func open(in directory: Directory, sharing: Sharing) throws(Errno) -> Directory {
        var making = ConcurrentCreation(until: sharing.directoryPermissions)
        while true {
            do throws(Errno) {
                return try enter(directory, sharing)
            } catch .accessDenied {
                let mayBeOver = making.mayHaveRefused { () throws(Errno) in try directory.descriptor.status() }
                if !mayBeOver { throw .accessDenied }
            }
        }
    }

    private static func enter(_ directory: Directory, _ sharing: Sharing) throws(Errno) -> Directory {
        do throws(Errno) {
            return try Directory(name, in: directory)
        } catch .noEntry {
            try make(in: directory, sharing: sharing)
            return try Directory(name, in: directory)
        }
    }

    /// Gives it to the group that it is shared with, which is the container's, and adds the permissions that it lacks. Takes
    /// none away: others may have made it for more. Where another user is just about to add them, this waits for him.
    static func widen(_ control: Directory, for sharing: Sharing, in container: Directory) throws(Errno) {
        let wanted = sharing.directoryPermissions
        if sharing == .group, control.group != container.group {
            // Where that is not ours to do, it is shared with the group that it has.
            do throws(Errno) { try control.descriptor.setGroup(container.group) } catch {}
        }
        if control.permissions & wanted == wanted { return }
        // What else is missing harms nobody, and it is not for that that each change of a value waits.
        let making = ConcurrentCreation(until: wanted & 0o777)
        while true {
            // It is pinned for a while: they may be others by now.
            let status = try control.descriptor.status()
            if status.permissions & wanted == wanted { return }
            do throws(Errno) {
                return try control.descriptor.setPermissions(status.permissions | wanted)
            } catch {
                // Where that is not ours to do, opening the lock tells whether they are missed.
                if !making.isUnderWay(status) { return }
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
                // The umask has taken from its owner what that needs.
                return try directory.setPermissions(sharing.directoryPermissions, of: name)
            }
            if try made.status().permissions != sharing.directoryPermissions {
                try made.setPermissions(sharing.directoryPermissions)
            }
        } catch {
            // Left as it is it would be taken the next time for one that is meant so.
            do throws(Errno) { try directory.removeDirectory(name) } catch {}
            throw error
        }
    }

    /// Whether the file system links files at all: tried with `temporary`, because that is our own, and somebody else's file
    /// may not be linked.
    static func canLink(_ temporary: String, to second: String, in control: Directory) throws(Errno) -> Bool {
        do throws(Errno) {
            try control.link(temporary, to: second)
        } catch {
            return false
        }
        try control.unlink(second)
        return true
    }
}
