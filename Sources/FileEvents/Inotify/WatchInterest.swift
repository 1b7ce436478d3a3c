import SystemCalls

/// Which events of a directory a client wants; those about the directory itself it gets in any case.
struct WatchInterest: Equatable {
    var mask: InotifyMask = []
    /// Names in it on which the resolution of a path depends.
    var names: Set<ExactName> = []
    /// Whether the other names matter, too.
    var hasAllNames = false

    mutating func formUnion(_ other: WatchInterest) {
        mask.formUnion(other.mask)
        names.formUnion(other.names)
        if other.hasAllNames { hasAllNames = true }
    }

    func contains(_ other: WatchInterest) -> Bool {
        mask.contains(other.mask) && names.isSuperset(of: other.names) && (hasAllNames || !other.hasAllNames)
    }
}
