import JSONText

/// Which elements of a list stay.
extension UnknownMembers {
    /// Collects what is unknown in the elements that a list has kept: those that the type writes as before, wherever
    /// they are now. Rather than to the wrong element, a member is carried over to none.
    ///
    /// - Parameter base: The old value as the type writes it.
    mutating func collectInLists(base: [UInt8]) throws {
        let root = try JSONOutline(parsing: base)
        for list in lists {
            var outline: JSONOutline? = root
            for key in list.path { outline = outline?.members?.first { $0.key == key }?.value }
            // If the type has left out elements, nothing tells which.
            guard let elements = outline?.elements, elements.count == list.old.count else { continue }
            let pairs = Self.pairs(elements.map { base[$0.range] }, list.new.map { new[$0.range] })
            for (index, newIndex) in pairs where try agrees(list.old[index], elements[index], in: base) {
                try collect(list.old[index], list.new[newIndex], list.notes[index], at: nil)
            }
        }
    }

    /// Pairs of indices of equal texts. If the list has changed, nothing tells those apart that are alike.
    private static func pairs(_ base: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [(Int, Int)] {
        if base == new { return base.indices.map { ($0, $0) } }
        let newIndices = Dictionary(grouping: new.indices) { new[$0] }
        return Dictionary(grouping: base.indices) { base[$0] }.compactMap { text, indices in
            guard let newIndices = newIndices[text], indices.count == 1, newIndices.count == 1 else { return nil }
            return (indices[0], newIndices[0])
        }
    }

    /// Whether the old value has all that the type writes for it, and perhaps more members. If not, the type may have
    /// put the elements into another order.
    private func agrees(_ value: JSONOutline, _ written: JSONOutline, in base: [UInt8]) throws -> Bool {
        if let members = value.members, let writtenMembers = written.members {
            let values = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            return try writtenMembers.allSatisfy { member in
                try values[member.key].map { try agrees($0, member.value, in: base) } ?? false
            }
        }
        if let elements = value.elements, let writtenElements = written.elements {
            return try elements.count == writtenElements.count
                && zip(elements, writtenElements).allSatisfy { try agrees($0, $1, in: base) }
        }
        let (text, writtenText) = (old[value.range], base[written.range])
        return try text == writtenText || JSONValue(parsing: Array(text)) == JSONValue(parsing: Array(writtenText))
    }
}
