import FoundationEssentials
public import GroupFiles

/// What an app and its broadcast extension share; both import this, and nothing else knows the names.
public struct BroadcastPreferences: Sendable {
    public static let group = "group.com.example.broadcast"

    /// Whether a broadcast is on air: what the app shows.
    ///
    /// A broadcaster that is killed leaves it true; ``Broadcast/isAlive(at:)`` detects that.
    public let isBroadcasting: GroupFile<Bool>
    /// The broadcast that is on air, or else the last one; nil before the first.
    public let broadcast: GroupFile<Broadcast?>

    /// For the extension, which writes: creates what is missing. With `.readOnly`, for the app: creates nothing, not
    /// even the directory, and follows the directory once somebody creates it.
    public init(access: Access = .readWrite) throws(GroupFileError) {
        let container = try GroupContainer(identifier: Self.group, access: access)
        isBroadcasting = try GroupFile(
            "is_broadcasting", in: container, initialValue: false, lockTimeout: Self.patience)
        broadcast = try GroupFile(
            "broadcast", in: container, initialValue: nil,
            codec: .json(
                encoder: { $0.dateEncodingStrategy = .secondsSince1970 },
                decoder: { $0.dateDecodingStrategy = .secondsSince1970 }),
            // Written several times a second, and worthless after a power cut: not worth an fsync each.
            durability: .relaxed, lockTimeout: Self.patience)
    }

    /// A lock is held for milliseconds: a process that holds one for this long hangs, and the error names it.
    private static let patience = Duration.seconds(30)
}
