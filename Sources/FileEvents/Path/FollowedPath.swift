import SystemCalls

/// The path that a ``PathWatch`` follows, and which events it wants; see its initializer.
struct FollowedPath: Sendable {
    /// Where it was when it was first followed; absolute.
    let path: String
    let leaf: String?
    let watchesNewNames: Bool
    /// The names in the file's directory that matter besides its own; nil if all do.
    let namesBesideLeaf: Set<ExactName>?
    let usesNotifications: Bool

    /// What is wanted of the directory that the path leads to.
    var interestInTarget: WatchInterest {
        let names = leaf == nil ? nil : namesBesideLeaf
        return WatchInterest(
            mask: watchesNewNames ? .wayTarget.union(.create) : .wayTarget, otherNames: names ?? [],
            hasAllNames: names == nil)
    }

    /// Walks the path, and watches the directories on it for a client, in addition to those that it watches already.
    func resolution(for client: any WatchClient) -> PathResolution {
        PathResolution(self) { path, wanted throws(Errno) in
            guard usesNotifications else { throw .tooManyOpenFiles }
            return try WatchHub.shared.add(path, wanted, for: client).watch
        }
    }

    /// Whether it still leads to this target; false if `target` is nil, or if that cannot be determined.
    func isStill(_ target: PathTarget?) -> Bool { target?.isCurrent(at: path, leaf: leaf) == true }
}
