/// A difference between two values: what stands at a path in each of them.
package struct JSONDifference: Equatable, Sendable {
    package let path: JSONPath
    /// What stood there, or nil where nothing did.
    package let old: JSONValue?
    /// What stands there, or nil where nothing does.
    package let new: JSONValue?

    /// Those of all paths together: more are not looked at, but told as part of what they are in.
    private static let mostSteps = 1 << 20

    /// The smallest parts in which `old` and `new` are not equal, nothing where they are.
    ///
    /// Arrays are compared index by index, objects by the Unicode scalars of their keys, in that order. Of values that
    /// differ in very much, and deep down, larger parts are told: each has its whole path.
    package static func all(from old: JSONValue?, to new: JSONValue?) -> [JSONDifference] {
        var differences: [JSONDifference] = []
        var steps = 0
        // A list of what is left to compare instead of recursion, which deep trees would make exhaust a small stack.
        var pending = [JSONDifference(path: JSONPath(), old: old, new: new)]
        while let pair = pending.popLast() {
            let path = pair.path.steps
            if let parts = pair.parts, steps + parts.count * (path.count + 1) <= mostSteps {
                steps += parts.count * (path.count + 1)
                for part in parts.reversed() {
                    pending.append(JSONDifference(path: JSONPath(path + [part.step]), old: part.old, new: part.new))
                }
            } else if pair.old != pair.new {
                differences.append(pair)
            }
        }
        return differences
    }

    /// What stands one step further on in each.
    private typealias Part = (step: JSONPath.Step, old: JSONValue?, new: JSONValue?)

    /// What two containers of a kind hold, but for scalars that are equal; nil for other values, which differ whole or not
    /// at all.
    private var parts: [Part]? {
        let all: [Part]
        switch (old, new) {
        case (.array(let old), .array(let new)):
            all = (0..<max(old.count, new.count)).map { index in
                (.index(index), index < old.count ? old[index] : nil, index < new.count ? new[index] : nil)
            }
        case (.object(let old), .object(let new)):
            all = Self.paired(old.distinctMembers[...], new.distinctMembers[...])
        default: return nil
        }
        return all.filter { part in
            switch (part.old, part.new) {
            case (.array, .array), (.object, .object): true
            default: part.old != part.new
            }
        }
    }

    /// The values of both by key, merged in the order of the keys, in which both are.
    private static func paired(
        _ old: ArraySlice<JSONObject.Member>,
        _ new: ArraySlice<JSONObject.Member>
    ) -> [Part] {
        var (old, new) = (old, new)
        var pairs: [Part] = []
        while let key = [old.first?.key, new.first?.key].compactMap(\.self).min(by: { $0.scalarsPrecede($1) }) {
            let isOld = old.first?.key.hasSameScalars(as: key) == true
            let isNew = new.first?.key.hasSameScalars(as: key) == true
            pairs.append((.key(key), isOld ? old.removeFirst().value : nil, isNew ? new.removeFirst().value : nil))
        }
        return pairs
    }
}
