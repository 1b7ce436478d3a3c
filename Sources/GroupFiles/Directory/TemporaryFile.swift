import SystemCalls

/// The file beside a value into which its next content is written.
///
/// For us alone until it gets the permissions of what it replaces: whoever opens it before reads what comes after. Where it
/// may be found by somebody who could not judge it then, it is *marked* as unfinished until it has them.
struct TemporaryFile: ~Copyable {
    /// The sticky bit, which means nothing on a file, and nobody may read it: no content that a user has left looks so.
    private static let marked: UInt32 = 0o1200
    /// Bytes that are written in one step: whoever is killed has written all of them, or none.
    private static let atOnce = 4096

    let descriptor: FileDescriptor
    /// How it was made.
    let made: FileStatus

    /// A new one in the control directory, for so many bytes. EEXIST where something bears the name; after every other error
    /// it may be there or not.
    init(_ name: String, in control: Directory, for sharing: Sharing, size: Int) throws(Errno) {
        // Part of a value is none, and another of the group cannot read it.
        let needsMark = sharing == .group || size > Self.atOnce
        let file: FileDescriptor
        do throws(Errno) {
            file = try Self.make(name, in: control, needsMark ? Self.marked : 0o600)
        } catch  where needsMark && (error == .invalid || error == .notPermitted) {
            // A server whose system gives the bit another meaning.
            file = try Self.make(name, in: control, 0o600)
        }
        made = try file.status()
        descriptor = file
    }

    private static func make(
        _ name: String, in control: Directory, _ permissions: UInt32
    ) throws(Errno) -> FileDescriptor {
        try control.open(name, [.writeOnly, .create, .exclusive], permissions: permissions)
    }

    /// Whether a writer that was killed had not finished it: nobody's content is in it but his.
    static func isUnfinished(_ status: FileStatus) -> Bool {
        // The umask may take more from its owner.
        status.kind == .regular && status.permissions | 0o200 == marked
    }

    /// Gives it owner, group, permissions and access control list of the file that it is to replace, whatever the umask, and
    /// never more. Returns the permissions that it has then.
    ///
    /// - Parameter path: Of what it is to replace.
    borrowing func setOwnership(
        like existing: FileStatus, at path: @autoclosure () -> String, in control: Directory
    ) throws(Errno) -> UInt32 {
        var permissions = try takeOwner(of: existing)
        if existing.permissions & 0o070 != 0 {
            do throws(Errno) {
                if let list = try AccessControlList(of: path()) {
                    try take(list, of: existing)
                } else if control.givesAccessControlList {
                    try descriptor.setAccessControlList(nil)
                }
            } catch {
                // Whatever the list is, it cannot be kept: nobody else gets what it has not given him.
                permissions &= 0o700
            }
        }
        try setPermissions(permissions)
        return permissions
    }

    /// Makes it what it is to be where it replaces nothing, in a directory that may be another group's than the control
    /// directory. Returns the permissions that it has then.
    borrowing func setOwnership(for sharing: Sharing, in directory: Directory) throws(Errno) -> UInt32 {
        let permissions = sharing.filePermissions
        if sharing == .group, made.group != directory.group {
            // Where that is not ours to do, it is for the group that the control directory is shared with.
            do throws(Errno) { try descriptor.setGroup(directory.group) } catch {}
        }
        try setPermissions(permissions)
        return permissions
    }

    private borrowing func setPermissions(_ permissions: UInt32) throws(Errno) {
        if made.permissions != permissions { try descriptor.setPermissions(permissions) }
    }

    /// Returns what it may allow then.
    private borrowing func takeOwner(of existing: FileStatus) throws(Errno) -> UInt32 {
        let permissions = existing.permissions & 0o777
        if made.owner == existing.owner, permissions & 0o077 == 0 || made.group == existing.group { return permissions }
        do throws(Errno) {
            do throws(Errno) {
                try descriptor.setOwner(existing.owner, group: existing.group)
            } catch  where error.isOfOwnership {
                // Not ours to give away.
                if made.group != existing.group { try descriptor.setGroup(existing.group) }
            }
            return permissions
        } catch  where error.isOfOwnership {
            return Self.permissions(like: existing, ofGroup: made.group)
        }
    }

    /// To another group than it was made for it would give too much.
    private borrowing func take(_ list: AccessControlList, of existing: FileStatus) throws(Errno) {
        if try descriptor.status().group != existing.group { throw .notPermitted }
        try descriptor.setAccessControlList(list)
    }

    /// What a file of this group may allow in place of `existing`. Another group than before was among the others, and the one
    /// from before is among them now: each gets no more than it had.
    static func permissions(like existing: FileStatus, ofGroup group: UInt32) -> UInt32 {
        let permissions = existing.permissions & 0o777
        if group == existing.group { return permissions }
        let others = permissions & permissions >> 3 & 0o007
        return permissions & 0o700 | others << 3 | others
    }
}

extension Errno {
    /// Whether an owner or a group is not ours to give: also one that has no number in our user namespace.
    fileprivate var isOfOwnership: Bool { self == .notPermitted || self == .invalid }
}
