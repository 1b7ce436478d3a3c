import SystemCalls

/// The file beside a value into which its next content is written.
struct TemporaryFile {
    let name: String
    /// Where it is.
    let control: Directory
    /// For whom the value is where it replaces nothing; nil: as the directory is.
    let sharing: Sharing?
    /// Which file it is, once it was made.
    private(set) var identity: FileIdentity?

    private static let flags: OpenFlags = [.writeOnly, .create, .exclusive]

    /// A new one, with owner, group and permissions of the file that it is to replace. EEXIST where something bears the name;
    /// after every other error it may be there or not.
    ///
    /// For us alone until it has the permissions of what it replaces: whoever opens it before reads what comes after.
    mutating func make(toReplace existing: FileStatus?, in directory: Directory) throws(Errno) -> FileDescriptor {
        let permissions =
            existing.map { $0.permissions & 0o777 }
            ?? (sharing ?? Sharing(permissions: directory.permissions)).filePermissions
        let file = try control.open(name, Self.flags, permissions: permissions & 0o700)
        let made = try file.status()
        identity = made.identity
        try Self.setOwnership(of: file, made, permissions, like: existing)
        return file
    }

    /// The new file gets the permissions of the old one, whatever the umask, and never more.
    private static func setOwnership(
        of file: borrowing FileDescriptor, _ made: FileStatus, _ wanted: UInt32, like existing: FileStatus?
    ) throws(Errno) {
        var permissions = wanted
        if let existing, made.owner != existing.owner || permissions & 0o077 != 0 && made.group != existing.group {
            do throws(Errno) {
                do throws(Errno) {
                    try file.setOwner(existing.owner, group: existing.group)
                } catch  where error.isOfOwnership {
                    // Not ours to give away.
                    if made.group != existing.group { try file.setGroup(existing.group) }
                }
            } catch  where error.isOfOwnership {
                // Another group than before must not get what that one had, nor may that one, which is among the others now,
                // get more.
                permissions &= 0o700 | permissions >> 3 & 0o007
            }
        }
        if made.permissions != permissions { try file.setPermissions(permissions) }
    }
}

extension Errno {
    /// Whether an owner or a group is not ours to give: also one that has no number in our user namespace.
    fileprivate var isOfOwnership: Bool { self == .notPermitted || self == .invalid }
}
