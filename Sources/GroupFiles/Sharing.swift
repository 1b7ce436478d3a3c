/// Who may read and write a container.
public enum Sharing: String, Hashable, Sendable {
    /// Its owner: the directory has 0700, its files 0600.
    case owner
    /// Its owner and its group: the directory has 2770, its files 0660.
    case group

    var directoryPermissions: UInt32 { self == .owner ? 0o700 : 0o2770 }
    var filePermissions: UInt32 { self == .owner ? 0o600 : 0o660 }
}
