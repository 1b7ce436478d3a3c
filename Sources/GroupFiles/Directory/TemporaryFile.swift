import SystemCalls

/// The file beside a value into which its next content is written.
///
/// For us alone until it gets the permissions of what it replaces: whoever opens it before reads what comes after.
struct TemporaryFile: ~Copyable {
    let descriptor: FileDescriptor
    /// How it was made.
    let made: FileStatus

    /// A new one in the control directory. EEXIST where something bears the name; after every other error it may be there
    /// or not.
    init(_ name: String, in control: Directory) throws(Errno) {
        let file = try control.open(name, [.writeOnly, .create, .exclusive], permissions: 0o600)
        made = try file.status()
        descriptor = file
    }

    /// Gives it owner, group and permissions of the file that it is to replace, whatever the umask, and never more; where it
    /// replaces nothing it is for these. Returns the permissions that it has then.
    borrowing func setOwnership(like existing: FileStatus?, for sharing: Sharing) throws(Errno) -> UInt32 {
        var permissions = existing.map { $0.permissions & 0o777 } ?? sharing.filePermissions
        if let existing, made.owner != existing.owner || permissions & 0o077 != 0 && made.group != existing.group {
            do throws(Errno) {
                do throws(Errno) {
                    try descriptor.setOwner(existing.owner, group: existing.group)
                } catch  where error.isOfOwnership {
                    // Not ours to give away.
                    if made.group != existing.group { try descriptor.setGroup(existing.group) }
                }
            } catch  where error.isOfOwnership {
                permissions = Self.permissions(like: existing, ofGroup: made.group)
            }
        }
        if made.permissions != permissions { try descriptor.setPermissions(permissions) }
        return permissions
    }

    /// What a file of this group may allow in place of `existing`: another group than before must not get what that one had,
    /// nor may that one, which is among the others now, get more.
    static func permissions(like existing: FileStatus, ofGroup group: UInt32) -> UInt32 {
        let permissions = existing.permissions & 0o777
        return group == existing.group ? permissions : permissions & (0o700 | permissions >> 3 & 0o007)
    }
}

extension Errno {
    /// Whether an owner or a group is not ours to give: also one that has no number in our user namespace.
    fileprivate var isOfOwnership: Bool { self == .notPermitted || self == .invalid }
}
