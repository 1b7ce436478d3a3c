import SystemCalls

/// What a look found at a path.
struct FoundFile: Equatable {
    let fingerprint: Fingerprint
    let isDirectory: Bool
    let modified: Int64
    private let permissions: UInt32
    private let owner: UInt32
    private let group: UInt32

    init(_ status: FileStatus) {
        fingerprint = status.fingerprint
        isDirectory = status.kind == .directory
        modified = status.modified
        permissions = status.permissions
        owner = status.owner
        group = status.group
    }

    var identity: FileIdentity { fingerprint.identity }

    /// Whether other owners, permissions or times have been given to it. What comes and goes in a directory changes its
    /// times, too.
    func hasOtherAttributes(than other: FoundFile) -> Bool {
        if isDirectory {
            return (permissions, owner, group) != (other.permissions, other.owner, other.group)
        }
        return fingerprint.changed != other.fingerprint.changed
    }
}
