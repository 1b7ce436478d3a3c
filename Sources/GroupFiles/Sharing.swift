import SystemCalls

/// Who may read and write a container, and the files created by programs that opened it this way. In a directory with
/// mode 2770, locks are shared with its Unix group in any case.
public enum Sharing: String, Hashable, Sendable {
    /// Its owner alone: the directory has mode 0700, its files 0600.
    case owner
    /// Its owner and its Unix group: the directory has mode 2770, its files 0660. Missing directories above it are
    /// created so that the group can reach it.
    case group

    /// How an existing directory is shared, judged by its permissions: with its group if the group may write in it, and
    /// what is created in it belongs to the group, too.
    package init(permissions: UInt32) {
        let shared: UInt32 = 0o2070
        self = permissions & shared == shared ? .group : .owner
    }

    /// How a new directory there is shared: like the nearest existing one above it.
    static func ofNewDirectory(at path: String) -> Sharing {
        var place = path
        while let parent = Path.beforeLastSlash(place), !parent.isEmpty {
            place = parent
            do throws(Errno) {
                return Sharing(permissions: try Path.status(of: parent).permissions)
            } catch .noEntry {
                continue
            } catch {
                return .owner  // Creating it will show why it cannot be looked at.
            }
        }
        return .owner
    }

    /// Creates a directory that is shared this way, and those above it, where they are missing.
    func makeDirectory(at path: String) throws(Errno) {
        try Path.makeDirectories(path, permissions: directoryPermissions, ofParents: permissionsAbove(path))
        if self == .group { Path.finishDirectory(path, permissions: directoryPermissions) }
    }

    /// The permissions of directories that are created above one that is shared this way. Its group may pass through
    /// them, and what is created in them belongs to the group. The group may create nothing in them, unless they are in
    /// a directory where it may.
    private func permissionsAbove(_ path: String) -> UInt32 {
        if self == .owner { return directoryPermissions }
        return Self.ofNewDirectory(at: path) == .group ? directoryPermissions : 0o2750
    }

    var directoryPermissions: UInt32 { self == .owner ? 0o700 : 0o2770 }
    var filePermissions: UInt32 { self == .owner ? 0o600 : 0o660 }
}
