import FoundationEssentials
import Synchronization
import SystemCalls

/// A document that is being decoded, and whether there is doubt about it.
///
/// 1. The whole text is *parsed* first; text that is not certainly JSON makes no document.
/// 2. Containers *find* their members in the nodes, and read scalars from the text.
/// 3. What `JSONDecoder` might do differently is *noted* as doubt; the value, or the error, is discarded in the end.
///    Until then it is of the kind that `JSONDecoder` would give, so that no type meets anything that it would not meet
///    there.
final class PlainDocument: Sendable {
    let bytes: [UInt8]
    let nodes: [PlainNode]
    private let doubt = Atomic(false)
    /// The value whose `init(from:)` is running. `JSONDecoder` has only one decoder, which is at that place even if a
    /// type has kept it from another place.
    private let current = Atomic<Int>(0)
    /// The object and its member that were found last.
    private let found = Atomic<UInt64>(.max)
    /// The members' values by name, for each wide object of which a member was requested out of order.
    private let indices = Guarded<[Int: [String: Int]]>([:])
    /// The way to the value whose coding path was requested last. Kept because the elements of an array mostly request
    /// their paths one after the other, and finding a path takes a walk past all elements before its own.
    let lastPath = Guarded<[PlainStep]>([])

    init?(_ bytes: [UInt8]) {
        guard let nodes = PlainParser.nodes(of: bytes) else { return nil }
        self.bytes = bytes
        self.nodes = nodes
    }

    var isInDoubt: Bool { doubt.load(ordering: .relaxed) }

    func noteDoubt() {
        doubt.store(true, ordering: .relaxed)
    }

    /// Decodes a string or a number with a `JSONDecoder` of its own, and notes doubt. Only types that consist of
    /// nothing else are left to this: a container would be read again at each attempt, and so would the containers in
    /// it.
    func leaveToJSONDecoder<T: Decodable>(_ index: Int) throws -> T {
        let node = nodes[index]
        let isString = node.kind == .string
        guard isString || node.kind.isNumber else { throw mismatch(T.self, index) }
        noteDoubt()
        let quotes = isString ? 1 : 0
        let text = bytes[node.text.lowerBound - quotes..<node.text.upperBound + quotes]
        return try JSONDecoder().decode(Attempt<T>.self, from: Data(text)).result.get()
    }

    /// Notes doubt, and returns an error of the kind that a type would get from `JSONDecoder`. It is not the one that
    /// is reported in the end.
    func mismatch(_ type: any Any.Type, _ index: Int) -> DecodingError {
        noteDoubt()
        return nodes[index].kind == .null ? .null(type) : .typeMismatch(type, .inDoubt)
    }

    func decode<T: Decodable>(_ type: T.Type, _ index: Int) throws -> T {
        if PlainTypes.isSpecial(type) { return try leaveToJSONDecoder(index) }
        let outer = current.load(ordering: .relaxed)
        current.store(index, ordering: .relaxed)
        defer { current.store(outer, ordering: .relaxed) }
        return try T(from: PlainDecoder(document: self, index: index))
    }

    /// Must be called before a decoder at this place is used.
    func visit(_ index: Int) {
        if current.load(ordering: .relaxed) != index { noteDoubt() }
    }

    /// The value of an object's member; nil if the object has none of that name. Of several members with the same name
    /// it is the first one's.
    func member(_ text: String, of object: Int) -> Int? {
        let name = text.utf8Span
        let node = nodes[object]
        let first = object + 1
        // A type that takes its keys from the document requests them in the document's order.
        let isLong = node.isAscending && node.number > 8
        var start = first
        if isLong {
            let last = found.load(ordering: .relaxed)
            if last >> 32 == UInt64(object) { start = Int(last & 0xFFFF_FFFF) }
        }
        if node.isAscending, node.number > 64 {
            // Try the member that was found last and the next one; then any member, by the index.
            let nextEnd = start < Int(node.next) ? Int(nodes[start + 1].next) : start
            let afterEnd = nextEnd < Int(node.next) ? Int(nodes[nextEnd + 1].next) : nextEnd
            if let value = member(name.span, from: start, to: afterEnd) ?? indexed(text, of: object) {
                found.store(UInt64(object) << 32 | UInt64(value - 1), ordering: .relaxed)
                return value
            }
        } else if let value = member(name.span, from: start, to: Int(node.next))
            ?? member(name.span, from: first, to: start)
        {
            if isLong { found.store(UInt64(object) << 32 | UInt64(value - 1), ordering: .relaxed) }
            return value
        }
        // As Strings, a name beyond ASCII may be equal to a key in ASCII.
        if !name.isKnownASCII { noteUnlessASCII(name.span) }
        return nil
    }

    private func member(_ name: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            let key = nodes[index]
            if Int(key.end - key.start) == name.count {
                var offset = 0
                while offset < name.count, bytes[Int(key.start) + offset] == name[offset] { offset += 1 }
                if offset == name.count { return index + 1 }
            }
            index = Int(nodes[index + 1].next)
        }
        return nil
    }

    private func indexed(_ name: String, of object: Int) -> Int? {
        indices.withLock { indices in
            if let index = indices[object] { return index[name] }
            var index: [String: Int] = [:]
            var key = object + 1
            while key < Int(nodes[object].next) {
                index[self.name(key)] = key + 1
                key = Int(nodes[key + 1].next)
            }
            indices[object] = index
            return index[name]
        }
    }

    private func noteUnlessASCII(_ name: Span<UInt8>) {
        for offset in name.indices where name[offset] >= 0x80 { noteDoubt() }
    }
}

/// Keeps an error as it is inside `JSONDecoder`, which throws some errors in other words to its caller.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        result = Result { try container.decode(Value.self) }
    }
}
