import SystemCalls

/// The file beside a value into which its next content is written.
///
/// The file is closed to everybody else until it gets the permissions of the file that it replaces: a process that
/// opened it earlier could read everything written later. If a process may find it that could not judge its content
/// then, it is *marked* as unfinished until it has those permissions.
struct TemporaryFile: ~Copyable {
    /// The sticky bit, which has no effect on a file, and no permission to read: no content that a user has left looks
    /// like that.
    private static let marked: UInt32 = 0o1200
    /// Bytes that are written in one step: a writer that is killed has written all of them, or none.
    private static let atOnce = 4096
    private static let newFile: OpenFlags = [.writeOnly, .create, .exclusive]

    let descriptor: FileDescriptor
    /// Its status once it was written.
    let made: FileStatus

    /// Creates one in the control directory, with these bytes. EEXIST if something has the name; after any other error
    /// the file may be there or not.
    init(
        _ name: String, in control: Directory, for sharing: Sharing, holding bytes: [UInt8], judging times: FileTimes
    ) throws(Errno) {
        // Part of a value is not a value, and another member of the group cannot read the file to see what it is.
        let needsMark = sharing == .group || bytes.count > Self.atOnce
        let tick = bytes.isEmpty ? nil : times.begin()
        let file: FileDescriptor
        do throws(Errno) {
            file = try control.open(name, Self.newFile, permissions: needsMark ? Self.marked : 0o600)
        } catch  where needsMark && (error == .invalid || error == .notPermitted) {
            // A server whose system gives the bit another meaning.
            file = try control.open(name, Self.newFile, permissions: 0o600)
        }
        let created = tick == nil ? nil : try file.status()
        try file.writeAll(bytes)
        let made = try file.status()
        if let tick, let created { times.judge(created, made, after: tick, in: control) }
        if !times.arePrecise { Self.age(file, made) }
        self.made = made
        descriptor = file
    }

    /// Makes the content's time a nanosecond older, where the coming change of the file's name might get the same time:
    /// a reader that finds the two equal takes the file for one that somebody is writing in place, and waits.
    private static func age(_ file: borrowing FileDescriptor, _ made: FileStatus) {
        guard made.modified == made.changed, made.modified > 0 else { return }
        // A file system that cannot set the time costs its users that wait, and nothing else.
        do throws(Errno) { try file.setModified(made.modified - 1) } catch {}
    }

    /// Whether a killed writer had not finished it: then it holds nobody else's content.
    static func isUnfinished(_ status: FileStatus) -> Bool {
        // The umask may have taken away the owner's permission to write.
        status.kind == .regular && status.permissions | 0o200 == marked
    }

    /// Gives it the owner, group, permissions and access control list of the file that it is to replace, whatever the
    /// umask, and never more. Returns the permissions that it then has.
    ///
    /// - Parameter path: The path of the file that it is to replace.
    borrowing func setOwnership(
        like existing: FileStatus, at path: @autoclosure () -> String, in control: Directory
    ) throws(Errno) -> UInt32 {
        var permissions = try takeOwner(of: existing)
        if existing.permissions & 0o070 != 0 {
            do throws(Errno) {
                if let list = try AccessControlList(of: path()) {
                    try take(list, of: existing)
                } else if control.givesAccessControlList {
                    try descriptor.setAccessControlList(nil, .own)
                }
            } catch {
                // The list cannot be kept, whatever it is: without it nobody but the owner gets access.
                permissions &= 0o700
            }
        }
        try setPermissions(permissions)
        return permissions
    }

    /// Gives it the group and permissions of a file that replaces nothing, in a directory that may have another group
    /// than the control directory. Returns the permissions that it then has.
    borrowing func setOwnership(for sharing: Sharing, in directory: Directory) throws(Errno) -> UInt32 {
        let permissions = sharing.filePermissions
        if sharing == .group, made.group != directory.group {
            // If we may not do that, it is for the group that the control directory is shared with.
            do throws(Errno) { try descriptor.setGroup(directory.group) } catch {}
        } else if sharing == .owner {
            directory.handOver(descriptor, made)
        }
        try setPermissions(permissions)
        return permissions
    }

    private borrowing func setPermissions(_ permissions: UInt32) throws(Errno) {
        if made.permissions != permissions { try descriptor.setPermissions(permissions) }
    }

    /// Gives the file the owner and group of `existing`, as far as we may. Returns the permissions that it may then
    /// have. EACCES if the file would belong to us although only its owner may read `existing`: nobody who shares a
    /// container may take a value away from its owner.
    private borrowing func takeOwner(of existing: FileStatus) throws(Errno) -> UInt32 {
        let permissions = existing.permissions & 0o777
        if made.owner == existing.owner, permissions & 0o077 == 0 || made.group == existing.group { return permissions }
        do throws(Errno) {
            do throws(Errno) {
                try descriptor.setOwner(existing.owner, group: existing.group)
            } catch  where error.isOfOwnership {
                // We may not give it away.
                if made.owner != existing.owner, permissions & 0o044 == 0 { throw .accessDenied }
                if made.group != existing.group { try descriptor.setGroup(existing.group) }
            }
            return permissions
        } catch  where error.isOfOwnership {
            return Self.permissions(like: existing, ofGroup: made.group)
        }
    }

    /// If the file has another group than `existing`, the list would give that group too much.
    private borrowing func take(_ list: AccessControlList, of existing: FileStatus) throws(Errno) {
        if try descriptor.status().group != existing.group { throw .notPermitted }
        try descriptor.setAccessControlList(list, .own)
    }

    /// The permissions that a file with this group may have in place of `existing`. A different group was among the
    /// others before, and the former group is among them now: each gets no more than it had.
    static func permissions(like existing: FileStatus, ofGroup group: UInt32) -> UInt32 {
        let permissions = existing.permissions & 0o777
        if group == existing.group { return permissions }
        let others = permissions & permissions >> 3 & 0o007
        return permissions & 0o700 | others << 3 | others
    }
}

extension Errno {
    /// Whether an owner or a group is not ours to give: EINVAL is for one that has no number in our user namespace.
    fileprivate var isOfOwnership: Bool { self == .notPermitted || self == .invalid }
}
