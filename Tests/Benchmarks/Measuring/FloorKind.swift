/// What ours is compared with.
enum FloorKind {
    /// No call that is not needed, and no guarantee.
    case plain
    /// The calls that the library makes.
    case guarded

    /// The kind of a viewer of the floor.
    func viewer(_ plain: String) -> String {
        switch self {
        case .plain: plain
        case .guarded: plain == "quiet" ? "guarded-quiet" : "guarded"
        }
    }

    /// What writes for the floor where `ours` does for us. Where that is the floor's own writer, as a foreign one, it stays.
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
