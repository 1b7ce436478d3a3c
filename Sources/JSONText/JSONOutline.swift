/// Where the members of JSON objects are in a text, so that some of them can be moved, as written, into another text.
package struct JSONOutline: Sendable {
    package struct Member: Sendable {
        /// With its escapes decoded.
        package let key: String
        /// From the key's quote to the end of the value.
        package let range: Range<Int>
        package let value: JSONOutline
    }

    /// The range of the whole value.
    package let range: Range<Int>
    /// In the order of the text, including duplicate keys; nil for anything but an object.
    package let members: [Member]?
    /// Nil for anything but an array that has an object in it, at whatever depth.
    package let elements: [JSONOutline]?

    /// The outline of the one value of a text, which may be as deep as a `JSONValue`.
    package init(parsing bytes: [UInt8]) throws(JSONTextError) {
        var reader = JSONReader(bytes)
        var builder = JSONOutlineBuilder()
        while let event = try reader.next() { builder.add(event, reader.eventOffset..<reader.endOffset) }
        self = builder.root
    }

    fileprivate init(_ range: Range<Int>, members: [Member]? = nil, elements: [JSONOutline]? = nil) {
        self.range = range
        self.members = members
        self.elements = elements
    }

    /// Whether this is an object, or an array that has one in it.
    package var hasObject: Bool { members != nil || elements != nil }

    /// The innermost object or array that a byte of the text belongs to, as far as it has an outline.
    package func container(at offset: Int) -> JSONOutline {
        let parts = elements ?? members?.map(\.value) ?? []
        let part = parts.first { $0.hasObject && $0.range.contains(offset) }
        return part?.container(at: offset) ?? self
    }

    /// Whether every object of `old` has, at the same place, an object here with all its keys. A member that is of
    /// another kind here, and a list that is empty, have nothing to compare. The elements of a longer array are compared
    /// with the last one here. Also false if keys are in another order than in `old`, or if a key occurs more often in
    /// `old` than here: so one pass is enough.
    package func hasEveryKey(of old: JSONOutline) -> Bool {
        if let members, let oldMembers = old.members {
            var rest = members[...]
            return oldMembers.allSatisfy { wanted in
                rest = rest.drop { !$0.key.hasSameScalars(as: wanted.key) }
                return rest.popFirst()?.value.hasEveryKey(of: wanted.value) ?? false
            }
        }
        if let elements, let oldElements = old.elements {
            return oldElements.indices.allSatisfy { index in
                let (element, old) = (elements[min(index, elements.count - 1)], oldElements[index])
                return !old.hasObject || old.isSameKind(as: element) && element.hasEveryKey(of: old)
            }
        }
        return true
    }

    /// Whether ``hasEveryKey(of:)`` holds for each value that two dictionaries have in common: keys that were removed
    /// from a dictionary are known.
    package func hasEveryKeyInValues(of old: JSONOutline) -> Bool {
        let values = Dictionary(
            (members ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        return (old.members ?? []).allSatisfy { values[$0.key]?.hasEveryKey(of: $0.value) ?? true }
    }

    private func isSameKind(as other: JSONOutline) -> Bool {
        (members == nil) == (other.members == nil) && (elements == nil) == (other.elements == nil)
    }
}

/// Builds an outline from the events of a reader, which guarantees that they fit together.
private struct JSONOutlineBuilder {
    /// An object or array whose end has not been read yet.
    private struct Open {
        var start = 0
        var members: [JSONOutline.Member] = []
        /// The key whose value comes next, and where the key begins.
        var key: (text: String, start: Int)?
        var elements: [JSONOutline] = []
    }

    private(set) var root = JSONOutline(0..<0)
    private var innermost = Open()
    private var outer: [Open] = []

    mutating func add(_ event: consuming JSONReader.Event, _ range: Range<Int>) {
        switch event {
        case .startObject, .startArray:
            var open = Open(start: range.lowerBound)
            swap(&open, &innermost)
            outer.append(open)
        case .endObject: close { JSONOutline($0.start..<range.upperBound, members: $0.members) }
        case .endArray:
            close { array in
                let elements = array.elements.contains(where: \.hasObject) ? array.elements : nil
                return JSONOutline(array.start..<range.upperBound, elements: elements)
            }
        case .key(let text):
            innermost.key = (text, range.lowerBound)
        default:
            attach(JSONOutline(range))
        }
    }

    private mutating func close(_ outline: (Open) -> JSONOutline) {
        let closed = outline(innermost)
        if let parent = outer.popLast() { innermost = parent }
        attach(closed)
    }

    private mutating func attach(_ value: JSONOutline) {
        if let key = innermost.key.take() {
            innermost.members.append(
                JSONOutline.Member(key: key.text, range: key.start..<value.range.upperBound, value: value))
        } else if outer.isEmpty {
            root = value
        } else {
            innermost.elements.append(value)
        }
    }
}
