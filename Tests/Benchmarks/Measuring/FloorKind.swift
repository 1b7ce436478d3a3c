/// The floor that ours is compared with.
enum FloorKind {
    /// Makes no call that is not needed, and gives no guarantee.
    case plain
    /// Makes the calls that the library makes.
    case guarded

    /// The kind of a viewer of the floor.
    func viewer(_ plain: String) -> String {
        switch self {
        case .plain: plain
        case .guarded: plain == "quiet" ? "guarded-quiet" : "guarded"
        }
    }

    /// The floor's counterpart of `ours`. If `ours` is the floor's own writer, in the part of a foreign one, it stays
    /// the same.
    func writing(beside ours: Exchange.Writing) -> Exchange.Writing {
        switch (self, ours.role, ours.way) {
        case (.plain, .writer, "consistent"): .fsync
        case (.guarded, .writer, "consistent"): .guardedFsync
        case (.guarded, .writer, _): .guarded
        default: .rename
        }
    }

    /// The way of an updater of the floor.
    var updater: String { self == .plain ? "plain" : "guarded" }
}
