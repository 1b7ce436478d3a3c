import JSONText

/// Members of an old text that are carried over into a new one, each to its place in the order of the keys.
///
/// 1. Where keys were requested one by one, those that never were are *unknown*.
/// 2. Elsewhere nothing was told: in arrays, in the values of dictionaries. There those are unknown that are missing in
///    the *base*, which is the old value as the type itself writes it.
struct UnknownMembers {
    /// A place where nothing was told, with the keys that lead to it in the new text.
    struct Untold {
        let path: [String]
        let old: JSONOutline
        let new: JSONOutline
    }

    let old: [UInt8]
    let new: [UInt8]
    private let keyNames: KeyNames
    private var insertions: [(offset: Int, text: [UInt8])] = []
    /// Where the base may tell of more unknown members.
    var untold: [Untold] = []

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
    mutating func collect(
        _ oldObject: JSONOutline, _ newObject: JSONOutline, _ notes: RequestedKeys, at path: [String] = []
    ) throws {
        guard notes.isDecoded, !notes.isOpaque, let oldMembers = oldObject.members, let newMembers = newObject.members
        else {
            let place = Untold(path: path, old: oldObject, new: newObject)
            if place.mayHideMembers { untold.append(place) }
            return
        }
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
        insert(unknown, into: newObject, newMembers)
        let newNames = try keyNames.names(of: newMembers.map(\.key), at: notes.codingPath)
        for (member, name) in zip(newMembers, newNames) {
            guard let known = known.removeValue(forKey: name) else { continue }
            try collect(known.old, member.value, known.notes, at: path + [member.key])
        }
    }

    /// Collects members for an object of the new text, which has these members already.
    mutating func insert(
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
