/// A difference between two values: what stands at a path in each of them.
package struct JSONDifference: Equatable, Sendable {
    package let path: JSONPath
    /// What stood there, or nil where nothing did.
    package let old: JSONValue?
    /// What stands there, or nil where nothing does.
    package let new: JSONValue?

    /// The smallest parts in which `old` and `new` are not equal, nothing where they are.
    ///
    /// Arrays are compared index by index, objects by the Unicode scalars of their keys, in that order.
    package static func all(from old: JSONValue?, to new: JSONValue?) -> [JSONDifference] {
        var differences: [JSONDifference] = []
        // A list of what is left to compare instead of recursion, which deep trees would make exhaust a small stack.
        var pending = [JSONDifference(path: JSONPath(), old: old, new: new)]
        while let pair = pending.popLast() {
            if let parts = pair.parts {
                pending.append(contentsOf: parts.reversed())
            } else if pair.old != pair.new {
                differences.append(pair)
            }
        }
        return differences
    }

    /// What two containers of a kind hold, in pairs; nil for other values, which differ whole or not at all.
    private var parts: [JSONDifference]? {
        switch (old, new) {
        case (.array(let old), .array(let new)):
            (0..<max(old.count, new.count)).compactMap { index in
                let step = JSONPath.Step.index(index)
                return part(step, index < old.count ? old[index] : nil, index < new.count ? new[index] : nil)
            }
        case (.object(let old), .object(let new)):
            Self.paired(old.distinctMembers[...], new.distinctMembers[...]).compactMap { key, old, new in
                part(.key(key), old, new)
            }
        default: nil
        }
    }

    /// The pair one step further on; nil for scalars that are equal, which would only fill the list.
    private func part(_ step: JSONPath.Step, _ old: JSONValue?, _ new: JSONValue?) -> JSONDifference? {
        switch (old, new) {
        case (.array, .array), (.object, .object): break
        default: if old == new { return nil }
        }
        return JSONDifference(path: JSONPath(path.steps + [step]), old: old, new: new)
    }

    /// The values of both by key, merged in the order of the keys, in which both are.
    private static func paired(
        _ old: ArraySlice<JSONObject.Member>,
        _ new: ArraySlice<JSONObject.Member>
    ) -> [(key: String, old: JSONValue?, new: JSONValue?)] {
        var (old, new) = (old, new)
        var pairs: [(key: String, old: JSONValue?, new: JSONValue?)] = []
        while let key = [old.first?.key, new.first?.key].compactMap(\.self).min(by: { $0.scalarsPrecede($1) }) {
            let isOld = old.first?.key.hasSameScalars(as: key) == true
            let isNew = new.first?.key.hasSameScalars(as: key) == true
            pairs.append((key, isOld ? old.removeFirst().value : nil, isNew ? new.removeFirst().value : nil))
        }
        return pairs
    }
}
