/// Where the members of JSON objects are in a text, so that some of them can be moved, as written, into another text.
///
/// Arrays are not descended into: objects inside them have no outline.
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

    /// The outline of the one value of a text, which may be as deep as a `JSONValue`.
    package init(parsing bytes: [UInt8]) throws(JSONTextError) {
        var reader = JSONReader(bytes)
        var builder = JSONOutlineBuilder()
        while let event = try reader.next() {
            if event == .startArray {
                let (start, depth) = (reader.eventOffset, reader.depth)
                while reader.depth >= depth { _ = try reader.next() }
                builder.attach(JSONOutline(range: start..<reader.endOffset, members: nil))
            } else {
                builder.add(event, reader.eventOffset..<reader.endOffset)
            }
        }
        self = builder.root
    }

    init(range: Range<Int>, members: [Member]?) {
        self.range = range
        self.members = members
    }

    /// Whether every object of `old` has, at the same place, an object here with all its keys; where either is not an
    /// object, there is nothing to compare. Also false if keys are in another order than in `old`, or if a key occurs
    /// more often in `old` than here: so one pass is enough.
    package func hasEveryKey(of old: JSONOutline) -> Bool {
        guard let members, let oldMembers = old.members else { return true }
        var rest = members[...]
        return oldMembers.allSatisfy { wanted in
            rest = rest.drop { !$0.key.hasSameScalars(as: wanted.key) }
            return rest.popFirst()?.value.hasEveryKey(of: wanted.value) ?? false
        }
    }
}

/// Builds an outline from the events of a reader, which guarantees that they fit together.
private struct JSONOutlineBuilder {
    /// An object whose end has not been read yet.
    private struct OpenObject {
        var start = 0
        var members: [JSONOutline.Member] = []
        /// The key whose value comes next, and where the key begins.
        var key: (text: String, start: Int)?
    }

    private(set) var root = JSONOutline(range: 0..<0, members: nil)
    private var innermost = OpenObject()
    private var outer: [OpenObject] = []

    mutating func add(_ event: consuming JSONReader.Event, _ range: Range<Int>) {
        switch event {
        case .startObject:
            var object = OpenObject(start: range.lowerBound)
            swap(&object, &innermost)
            outer.append(object)
        case .endObject:
            let outline = JSONOutline(range: innermost.start..<range.upperBound, members: innermost.members)
            if let parent = outer.popLast() { innermost = parent }
            attach(outline)
        case .key(let text):
            innermost.key = (text, range.lowerBound)
        default:
            attach(JSONOutline(range: range, members: nil))
        }
    }

    mutating func attach(_ value: JSONOutline) {
        if let key = innermost.key.take() {
            innermost.members.append(
                JSONOutline.Member(key: key.text, range: key.start..<value.range.upperBound, value: value))
        } else {
            root = value
        }
    }
}
