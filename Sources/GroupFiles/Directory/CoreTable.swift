import SystemCalls

/// The cores of a directory by their files' names. A core lives as long as a listener is attached to it.
///
/// Every name that is touched in the directory is looked up here. Most often it is some temporary file's, or that of
/// the one value that changes: neither should cost a hash.
struct CoreTable {
    private struct WeakCore: Sendable {
        weak let core: FileCore?
    }

    private var cores: [ExactName: WeakCore] = [:]
    /// One bit for each length of a name in the table, modulo 64.
    private var lengths: UInt64 = 0
    /// What was found last. Two properties instead of a pair: copying that would copy the weak reference, which is
    /// expensive.
    private var recentName = ExactName("")
    private weak var recent: FileCore?
    /// At this many names, those of cores that no longer exist are forgotten before another one is added.
    private var room = leastRoom
    private static let leastRoom = 64

    var all: [FileCore] { cores.values.compactMap(\.core) }

    subscript(name: ExactName) -> FileCore? {
        mutating get {
            if lengths & Self.bit(of: name) == 0 { return nil }
            if recentName == name { return recent }
            guard let found = cores[name]?.core else { return nil }
            (recentName, recent) = (name, found)
            return found
        }
    }

    mutating func insert(_ core: FileCore, as name: ExactName) {
        if cores.count >= room { clean() }
        cores[name] = WeakCore(core: core)
        lengths |= Self.bit(of: name)
        // No file's name is empty, but a name that is not UTF-8 is looked up as an empty one, and finds nothing.
        (recentName, recent) = (ExactName(""), nil)
    }

    /// Forgets those that no longer exist.
    mutating func clean() {
        cores = cores.filter { $0.value.core != nil }
        room = max(Self.leastRoom, 2 * cores.count)
    }

    private static func bit(of name: ExactName) -> UInt64 { 1 << (UInt64(name.text.utf8.count) & 63) }
}
