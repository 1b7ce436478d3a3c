import JSONText

/// Members of an old text that are carried over into a new one, each to its place in the order of the keys.
///
/// 1. Those that were never requested are *unknown*.
/// 2. An object has the unknown members of the one that was at the same place: under the same keys.
/// 3. Elements of a *list* have no place; see ``collectInLists(base:)``.
struct UnknownMembers {
    /// A list that may have unknown members in its elements, with the keys that lead to it in the new text.
    struct List {
        let path: [String]
        let old: [JSONOutline]
        let new: [JSONOutline]
        let notes: RequestedKeys
    }

    let old: [UInt8]
    let new: [UInt8]
    private let keyNames: KeyNames
    private var insertions: [(offset: Int, text: [UInt8])] = []
    private(set) var lists: [List] = []

    init(old: [UInt8], new: [UInt8], keyNames: KeyNames) {
        self.old = old
        self.new = new
        self.keyNames = keyNames
    }

    /// The new text with all members that have been collected; nil if there are none.
    var merged: [UInt8]? {
        if insertions.isEmpty { return nil }
        var merged: [UInt8] = []
        merged.reserveCapacity(new.count + insertions.reduce(0) { $0 + $1.text.count })
        var position = 0
        // Sorting is stable: members of one gap stay in their order.
        for insertion in insertions.sorted(by: { $0.offset < $1.offset }) {
            merged.append(contentsOf: new[position..<insertion.offset])
            merged.append(contentsOf: insertion.text)
            position = insertion.offset
        }
        merged.append(contentsOf: new[position...])
        return merged
    }

    /// Collects the members of the old object that are neither in the new one nor among the requested keys; does the
    /// same in the objects that both have under one key.
    ///
    /// - Parameter path: The keys that lead here in the new text; nil where the new value is the old one but for unknown
    ///   members.
    mutating func collect(
        _ oldValue: JSONOutline, _ newValue: JSONOutline, _ notes: RequestedKeys, at path: [String]? = []
    ) throws {
        guard notes.isDecoded else { return }
        if let old = oldValue.elements, let new = newValue.elements, !notes.isUnordered {
            if let path {
                if newValue.hasEveryKey(of: oldValue) { return }
                lists.append(List(path: path, old: old, new: new, notes: notes))
            } else {
                for (index, (old, new)) in zip(old, new).enumerated() { try collect(old, new, notes[index], at: nil) }
            }
        }
        guard let oldMembers = oldValue.members, let newMembers = newValue.members else { return }
        let names = try names(of: oldMembers, notes)
        let written = Set(newMembers.map(\.key))
        var unknown: [JSONOutline.Member] = []
        /// The requested values of the old object, by name: the new one may have another key for it.
        var known: [String: (old: JSONOutline, notes: RequestedKeys)] = [:]
        for (member, name) in zip(oldMembers, names) {
            if let asked = notes.asked[name] {
                if known[name] == nil { known[name] = (member.value, asked) }
            } else if !written.contains(member.key) {
                unknown.append(member)
            }
        }
        if !notes.knowsAllKeys { insert(unknown, into: newValue, newMembers) }
        for (member, name) in zip(newMembers, try self.names(of: newMembers, notes)) {
            guard let known = known.removeValue(forKey: name) else { continue }
            try collect(known.old, member.value, known.notes, at: path.map { $0 + [member.key] })
        }
    }

    private func names(of members: [JSONOutline.Member], _ notes: RequestedKeys) throws -> [String] {
        let keys = members.map(\.key)
        return notes.hasKeysAsWritten ? keys : try keyNames.names(of: keys, at: notes.codingPath)
    }

    /// Collects members for an object of the new text, which has these members already.
    private mutating func insert(
        _ members: [JSONOutline.Member], into object: JSONOutline, _ present: [JSONOutline.Member]
    ) {
        if members.isEmpty { return }
        var pending = members.sorted { $0.key.scalarsPrecede($1.key) }[...]
        /// Where the gap before a member begins: behind the opening brace, or behind the previous member.
        var gapStart = object.range.lowerBound + 1
        for member in present {
            while let first = pending.first, first.key.scalarsPrecede(member.key) {
                pending.removeFirst()
                insertions.append((member.range.lowerBound, text(of: first) + [comma] + new[gap(gapStart, member)]))
            }
            gapStart = member.range.upperBound
        }
        let lead = present.first.map { new[gap(object.range.lowerBound + 1, $0)] } ?? []
        for (index, member) in pending.enumerated() {
            let isFirst = index == 0 && present.isEmpty
            insertions.append((gapStart, (isFirst ? [] : [comma]) + lead + text(of: member)))
        }
    }

    private var comma: UInt8 { UInt8(ascii: ",") }

    private func text(of member: JSONOutline.Member) -> [UInt8] { Array(old[member.range]) }

    /// The white space before a member.
    private func gap(_ start: Int, _ member: JSONOutline.Member) -> Range<Int> {
        let comma = new[start..<member.range.lowerBound].firstIndex(of: comma)
        return (comma.map { $0 + 1 } ?? start)..<member.range.lowerBound
    }
}
