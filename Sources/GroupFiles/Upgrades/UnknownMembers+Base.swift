import JSONText

/// What the base tells of.
extension UnknownMembers {
    /// Collects what is unknown in all places where nothing was told.
    mutating func collect(base: [UInt8]) throws {
        let root = try JSONOutline(parsing: base)
        for place in untold {
            var outline: JSONOutline? = root
            for key in place.path { outline = outline?.members?.first { $0.key == key }?.value }
            guard let outline else { continue }
            // A type that requested all keys knows them all: a dictionary, or an enum whose case is a key.
            try collect(place.old, place.new, OutlinedText(base, outline), knowsAllKeys: true)
        }
        untold = []
    }

    private mutating func collect(
        _ oldValue: JSONOutline, _ newValue: JSONOutline, _ base: OutlinedText, knowsAllKeys: Bool = false
    ) throws {
        if base.outline.hasEveryKey(of: oldValue) { return }
        if let oldMembers = oldValue.members, let newMembers = newValue.members, let baseMembers = base.outline.members
        {
            let oldValues = oldMembers.values
            let baseValues = baseMembers.values
            // An object that lacks what the type writes has an older form, or is something that the type replaces.
            if !knowsAllKeys, baseValues.keys.allSatisfy({ oldValues[$0] != nil }) {
                let written = Set(newMembers.map(\.key))
                let unknown = oldMembers.filter { baseValues[$0.key] == nil && !written.contains($0.key) }
                insert(unknown, into: newValue, newMembers)
            }
            for member in newMembers {
                guard let oldValue = oldValues[member.key], let baseValue = baseValues[member.key] else { continue }
                try collect(oldValue, member.value, base.part(baseValue))
            }
        } else if let oldElements = oldValue.elements, let newElements = newValue.elements,
            let baseElements = base.outline.elements
        {
            let pairs = try ElementIdentity.pairs(
                oldElements.map { OutlinedText(old, $0) }, baseElements.map(base.part),
                newElements.map { OutlinedText(new, $0) })
            for (index, newIndex) in pairs {
                try collect(oldElements[index], newElements[newIndex], base.part(baseElements[index]))
            }
        }
    }
}

extension UnknownMembers.Untold {
    /// Whether the old value may have unknown members. Of a dictionary, or an enum, they are only looked for in values
    /// that both have.
    var mayHideMembers: Bool {
        guard let oldMembers = old.members, let newMembers = new.members else { return !new.hasEveryKey(of: old) }
        let oldValues = oldMembers.values
        return newMembers.contains { member in
            oldValues[member.key].map { !member.value.hasEveryKey(of: $0) } ?? false
        }
    }
}
