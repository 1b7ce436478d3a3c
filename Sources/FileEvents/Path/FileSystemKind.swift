import SystemCalls

/// File systems on which the kernel cannot report changes that are made elsewhere: on another machine, behind a driver
/// of its own, or in the kernel itself.
enum FileSystemKind {
    /// The file system's name, if it is one of these; nil if notifications can be relied upon.
    static func withoutNotifications(_ directory: String) throws(Errno) -> String? {
        withoutNotifications(type: try Path.fileSystemType(of: directory))
    }

    /// The same, for a type as statfs(2) returns it.
    static func withoutNotifications(type: Int64) -> String? { names[type] }

    /// Whether a directory is the root of a btrfs subvolume. That keeps its link count, so it does not report its own
    /// removal; only its parent does.
    static func isSubvolume(_ directory: String, _ status: FileStatus) throws(Errno) -> Bool {
        let (root, btrfs): (UInt64, Int64) = (256, 0x9123_683E)
        if status.identity.inode != root { return false }
        return try Path.fileSystemType(of: directory) == btrfs
    }

    /// By f_type of statfs(2).
    private static let names: [Int64: String] = [
        0x6969: "nfs",
        0x517B: "smb",
        0xFF53_4D42: "cifs",
        0xFE53_4D42: "smb2",
        0x6573_5546: "fuse",
        0x0102_1997: "9p",
        0x5346_414F: "afs",
        0x6B41_4653: "afs",
        0x7375_7245: "coda",
        0x00C3_6400: "ceph",
        0x7461_636F: "ocfs2",
        0x0116_1970: "gfs2",
        0x0BD0_0BD0: "lustre",
        0x4750_4653: "gpfs",
        0x1983_0326: "beegfs",
        0x2003_0528: "orangefs",
        0x786F_4256: "vboxsf",
        0xBACB_ACBC: "vmhgfs",
        0x9FA0: "proc",
        0x6265_6572: "sysfs",
        0x0027_E0EB: "cgroup",
        0x6367_7270: "cgroup2",
        0x6462_6720: "debugfs",
        0x7472_6163: "tracefs",
        0x7363_6673: "securityfs",
    ]
}
