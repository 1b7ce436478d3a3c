import FoundationEssentials
import Synchronization
import SystemCalls

/// A document that is being decoded, and what is not sure about it.
///
/// 1. The whole text is *parsed* first; what is not surely JSON is no document.
/// 2. Containers *find* their members in the nodes, and read scalars from the text.
/// 3. What is not surely as `JSONDecoder` has it is *noted*; the value, or the error, is worth nothing then. What it is
///    for now is a decoder's of its own, so that no type meets what it would not meet there.
final class PlainDocument: Sendable {
    let bytes: [UInt8]
    let nodes: [PlainNode]
    private let doubt = Atomic(false)
    /// The value whose `init(from:)` runs. `JSONDecoder` has one decoder, which is at that place, whoever keeps it.
    private let current = Atomic<Int>(0)
    /// The object and its member that were found last.
    private let found = Atomic<UInt64>(.max)
    /// The values of wide objects' members, of which one was asked for out of order, by their names.
    private let indices = Guarded<[Int: [String: Int]]>([:])
    /// Where the path of coding keys was that was asked for last.
    let lastPath = Guarded(PlainPath())

    init?(_ bytes: [UInt8]) {
        guard let nodes = PlainParser.nodes(of: bytes) else { return nil }
        self.bytes = bytes
        self.nodes = nodes
    }

    var isInDoubt: Bool { doubt.load(ordering: .relaxed) }

    func noteDoubt() {
        doubt.store(true, ordering: .relaxed)
    }

    /// What a `JSONDecoder` of its own makes of a string or a number; in doubt. Nothing that is left to it is made of
    /// anything else: a container would be read again at each try, and so would those in it.
    func leaveToJSONDecoder<T: Decodable>(_ index: Int) throws -> T {
        let node = nodes[index]
        let isString = node.kind == .string
        guard isString || node.kind.isNumber else { throw mismatch(T.self, index) }
        noteDoubt()
        let quotes = isString ? 1 : 0
        let text = bytes[node.text.lowerBound - quotes..<node.text.upperBound + quotes]
        return try JSONDecoder().decode(Attempt<T>.self, from: Data(text)).result.get()
    }

    /// In doubt: an error of the kind that a type would meet there. It is not the one that is told in the end.
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

    /// To be called before a decoder at this place is used.
    func visit(_ index: Int) {
        if current.load(ordering: .relaxed) != index { noteDoubt() }
    }

    /// The value of an object's member; nil where it has none of that name. Of several of one name it is the first.
    func member(_ text: String, of object: Int) -> Int? {
        let name = text.utf8Span
        let node = nodes[object]
        let first = object + 1
        // Keys are asked for in the document's order where they come from it.
        let isLong = node.isAscending && node.number > 8
        var start = first
        if isLong {
            let last = found.load(ordering: .relaxed)
            if last >> 32 == UInt64(object) { start = Int(last & 0xFFFF_FFFF) }
        }
        if node.isAscending, node.number > 64 {
            // The next one, or whichever.
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
        // To strings, what is beyond ASCII may be equal to what is not.
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

/// An error as it is inside of `JSONDecoder`, which tells some of them in other words outside.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        result = Result { try container.decode(Value.self) }
    }
}
