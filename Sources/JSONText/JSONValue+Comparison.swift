extension JSONValue: Equatable {
    /// Whether both mean the same: numbers are compared by decimal value, strings by Unicode scalars, objects
    /// regardless of the order of their keys; of duplicate keys only the first counts.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        // A list of what is left to compare, not recursion: a deep tree would exhaust a small stack.
        var pending = [(left: [left][...], right: [right][...])]
        while var rest = pending.popLast() {
            guard let first = rest.left.popFirst(), let second = rest.right.popFirst() else { continue }
            pending.append(rest)
            switch (first, second) {
            case (.null, .null): break
            case (.bool(let left), .bool(let right)):
                if left != right { return false }
            case (.number(let left), .number(let right)):
                if left != right { return false }
            case (.string(let left), .string(let right)):
                if !left.hasSameScalars(as: right) { return false }
            case (.array(let left), .array(let right)):
                if left.count != right.count { return false }
                pending.append((left[...], right[...]))
            case (.object(let left), .object(let right)):
                let (left, right) = (left.distinctMembers, right.distinctMembers)
                guard left.elementsEqual(right, by: { $0.key.hasSameScalars(as: $1.key) }) else { return false }
                pending.append((left.map(\.value)[...], right.map(\.value)[...]))
            default: return false
            }
        }
        return true
    }

    /// Whether this is less than `other`: numbers by decimal value, strings by Unicode scalars; nil for all other
    /// values, which have no order.
    func precedes(_ other: JSONValue) -> Bool? {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.string(let left), .string(let right)): left.scalarsPrecede(right)
        default: nil
        }
    }
}
