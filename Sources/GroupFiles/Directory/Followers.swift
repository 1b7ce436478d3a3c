import SystemCalls

/// The stores that watch a directory, each by its path. There may be thousands, one for each file that was opened by
/// its path, and each of them can leave without a search.
struct Followers {
    private struct Key: Hashable {
        let path: ExactName
        let id: ObjectIdentifier
    }

    private struct Follower {
        weak let store: (any ContentStore)?
        /// The number of its last arrival.
        var number: Int
        /// How many of its arrivals it has not left yet: if its link comes to lead to another file of the directory, a
        /// store arrives again before it leaves.
        var times: Int
    }

    private struct Arrival {
        let number: Int
        let key: Key
    }

    private var followers: [Key: Follower] = [:]
    /// In order. The last one is still there; those before it may have left, or arrived again.
    private var arrivals: [Arrival] = []
    /// This many arrivals of stores that have left may stay in any case.
    private static let mostLeft = 16

    var isEmpty: Bool { followers.isEmpty }
    var count: Int { followers.count }
    /// The path of the one that arrived last.
    var lastPath: String? { arrivals.last?.key.path.text }

    /// Closures that make each store follow its path, if it still lives. They are made without holding a strong
    /// reference even for a moment: if that became the last one, the store would end here, and leave, under the lock
    /// that guards this.
    var followings: [@Sendable () -> Void] {
        followers.values.map { follower in { follower.store?.followPath() } }
    }

    mutating func add(_ path: String, _ store: any ContentStore) {
        let key = Key(path: ExactName(path), id: ObjectIdentifier(store))
        let number = (arrivals.last?.number ?? 0) + 1
        followers[key, default: Follower(store: store, number: number, times: 0)].number = number
        followers[key]?.times += 1
        arrivals.append(Arrival(number: number, key: key))
        forgetThoseThatLeft()
    }

    mutating func remove(_ path: String, _ id: ObjectIdentifier) {
        let key = Key(path: ExactName(path), id: id)
        guard let times = followers[key]?.times else { return }
        if times > 1 { followers[key]?.times = times - 1 } else { followers[key] = nil }
        while let last = arrivals.last, !isThere(last) { arrivals.removeLast() }
        forgetThoseThatLeft()
    }

    private func isThere(_ arrival: Arrival) -> Bool { followers[arrival.key]?.number == arrival.number }

    private mutating func forgetThoseThatLeft() {
        if arrivals.count > 2 * followers.count + Self.mostLeft { arrivals = arrivals.filter { isThere($0) } }
    }
}
