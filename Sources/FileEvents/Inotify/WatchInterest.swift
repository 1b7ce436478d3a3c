import SystemCalls

/// Which events of a directory a client wants. It gets events about the directory itself in any case.
struct WatchInterest: Equatable {
    var mask: InotifyMask = []
    /// Names in it on which the resolution of a path depends.
    var names: Set<ExactName> = []
    /// Names in it that matter for other reasons.
    var otherNames: Set<ExactName> = []
    /// Whether all names matter.
    var hasAllNames = false

    mutating func formUnion(_ other: WatchInterest) {
        mask.formUnion(other.mask)
        names.formUnion(other.names)
        otherNames.formUnion(other.otherNames)
        if other.hasAllNames { hasAllNames = true }
    }

    func contains(_ other: WatchInterest) -> Bool {
        mask.contains(other.mask) && names.isSuperset(of: other.names) && otherNames.isSuperset(of: other.otherNames)
            && (hasAllNames || !other.hasAllNames)
    }
}
