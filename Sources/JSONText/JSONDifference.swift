/// A difference between two values: what each of them has at a path.
package struct JSONDifference: Equatable, Sendable {
    package let path: JSONPath
    /// The old value at the path; nil if there was none.
    package let old: JSONValue?
    /// The new value at the path; nil if there is none.
    package let new: JSONValue?

    /// The limit for the steps of all paths together. A container that would exceed it is not descended into, but
    /// reported whole if it differs.
    private static let mostSteps = 1 << 20

    /// The smallest parts in which `old` and `new` differ; empty if they are equal.
    ///
    /// Arrays are compared index by index, objects key by key in the order of the keys' Unicode scalars. Of values that
    /// differ in very many deep places, larger parts are reported, because each difference stores its whole path.
    package static func all(from old: JSONValue?, to new: JSONValue?) -> [JSONDifference] {
        var differences: [JSONDifference] = []
        var steps = 0
        // A list of what is left to compare, not recursion: a deep tree would exhaust a small stack.
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

    /// What the old and the new value have one step further down.
    private typealias Part = (step: JSONPath.Step, old: JSONValue?, new: JSONValue?)

    /// The parts of two arrays or two objects, except scalars that are equal; nil for other values, which differ as a
    /// whole or not at all.
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

    /// The values of both, paired by key. Both are sorted by key, and so are the pairs.
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
