import JSONText

/// Members of an old text that are carried over into a new one, each to its place in the order of the keys.
struct UnknownMembers {
    private let old: [UInt8]
    private let new: [UInt8]
    private let keyNames: KeyNames
    /// In the order of their offsets in the new text.
    private var insertions: [(offset: Int, text: [UInt8])] = []

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
        for insertion in insertions {
            merged.append(contentsOf: new[position..<insertion.offset])
            merged.append(contentsOf: insertion.text)
            position = insertion.offset
        }
        merged.append(contentsOf: new[position...])
        return merged
    }

    /// Collects the members of the old object that are neither in the new one nor among the requested keys; does the
    /// same in the objects that both have under one key.
    mutating func collect(_ oldObject: JSONOutline, _ newObject: JSONOutline, _ notes: RequestedKeys) throws {
        guard notes.isDecoded, !notes.isOpaque, let oldMembers = oldObject.members, let newMembers = newObject.members
        else { return }
        let names = try keyNames.names(of: oldMembers.map(\.key), at: notes.codingPath)
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
        var pending = unknown.sorted { $0.key.scalarsPrecede($1.key) }[...]
        /// Where the gap before a member begins: behind the opening brace, or behind the previous member.
        var gapStart = newObject.range.lowerBound + 1
        let newNames = try keyNames.names(of: newMembers.map(\.key), at: notes.codingPath)
        for (member, name) in zip(newMembers, newNames) {
            while let first = pending.first, first.key.scalarsPrecede(member.key) {
                pending.removeFirst()
                insertions.append((member.range.lowerBound, text(of: first) + [comma] + new[gap(gapStart, member)]))
            }
            if let known = known.removeValue(forKey: name) {
                try collect(known.old, member.value, known.notes)
            }
            gapStart = member.range.upperBound
        }
        let lead = newMembers.first.map { new[gap(newObject.range.lowerBound + 1, $0)] } ?? []
        for (index, member) in pending.enumerated() {
            let isFirst = index == 0 && newMembers.isEmpty
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
