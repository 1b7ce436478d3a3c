/// What a power cut may leave on a disk, after a trace of changes. Pure.
///
/// The rules are those of POSIX, and harsher than any journal's, so that the outcomes include whatever a journal
/// leaves:
/// - Each name in a directory is, independently of the others, as it was when the directory was last synced, or as any
///   change since then made it.
/// - What was written to a file and not synced since is there whole, or half, or not at all.
/// - Syncing a file does not keep its name. Syncing a directory does not keep the directory's own name.
struct DiskModel {
    typealias Inode = UInt64

    struct Entry: Hashable {
        let directory: Inode
        let name: String
    }

    enum Operation: Hashable {
        /// The name now leads to another file, or to none.
        case name(Entry, Inode?)
        /// The file now has another content.
        case data(Inode, [UInt8])
        /// fsync(2) of a file that holds this, or of a directory.
        case sync(Inode, [UInt8])
        case syncDirectory(Inode)
    }

    enum Outcome: Hashable {
        case missing
        case bytes([UInt8])
    }

    /// For each name and each file, the newest version that is safe on the disk, followed by later ones, which may be
    /// there.
    private var names: [Entry: [Inode?]] = [:]
    private var contents: [Inode: [[UInt8]]] = [:]

    /// What is there at the start is safe.
    init(names: [Entry: Inode], contents: [Inode: [UInt8]]) {
        self.names = names.mapValues { [$0] }
        self.contents = contents.mapValues { [$0] }
    }

    mutating func apply(_ operation: Operation) {
        switch operation {
        case .name(let entry, let inode):
            names[entry, default: [nil]].append(inode)
        case .data(let inode, let bytes):
            if contents[inode]?.last != bytes { contents[inode, default: [[]]].append(bytes) }
        case .sync(let inode, let bytes):
            contents[inode] = [bytes]
        case .syncDirectory(let directory):
            for (entry, versions) in names where entry.directory == directory {
                names[entry] = [versions[versions.count - 1]]
            }
        }
    }

    /// What may be found at `path` below `root` if the power fails now.
    func outcomes(at path: [String], below root: Inode) -> Set<Outcome> {
        var places: Set<Inode?> = [root]
        for component in path {
            places = places.reduce(into: []) { found, place in
                guard let place else {
                    found.insert(nil)
                    return
                }
                found.formUnion(names[Entry(directory: place, name: component)] ?? [nil])
            }
        }
        return places.reduce(into: []) { found, place in
            guard let place else {
                found.insert(.missing)
                return
            }
            for (index, bytes) in (contents[place] ?? [[]]).enumerated() {
                found.insert(.bytes(bytes))
                if index == 0 { continue }
                found.insert(.bytes(Array(bytes.prefix(bytes.count / 2))))
                found.insert(.bytes([]))
            }
        }
    }
}
