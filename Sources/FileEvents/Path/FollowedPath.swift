import SystemCalls

/// The path that a ``PathWatch`` follows, and what it wants to be told of; see its initializer.
struct FollowedPath: Sendable {
    /// Where it was when it was first followed; absolute.
    let path: String
    let leaf: String?
    let watchesNewNames: Bool
    let namesBesideLeaf: Set<ExactName>?
    let usesNotifications: Bool

    /// Walks the path, and watches the directories on it for a client, in addition to those that it watches already.
    func resolution(for client: any WatchClient) -> PathResolution {
        PathResolution(path: path, leaf: leaf, watchesNewNames: watchesNewNames, namesBesideLeaf: namesBesideLeaf) {
            path, wanted throws(Errno) in
            guard usesNotifications else { throw .tooManyOpenFiles }
            return try WatchHub.shared.add(path, wanted, for: client).watch
        }
    }

    /// Whether it still leads to this target; false if that is nil, or cannot be told.
    func isStill(_ target: PathTarget?) -> Bool { target?.isCurrent(at: path, leaf: leaf) == true }
}
