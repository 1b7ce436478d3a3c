import JSONText

/// Parses a whole document into nodes, in one pass. What it accepts is certainly JSON, by any reading of RFC 8259. It
/// does not accept all JSON: no escapes, no keys beyond ASCII, no exponents, no minus zero, nothing deeper than 32.
struct PlainParser {
    private static let deepest = 32
    /// The most members of an object whose keys are not in order: each lookup goes through all of them.
    private static let mostUnordered = 64

    var nodes: [PlainNode] = []
    var at = 0
    private var isASCII = true

    /// The nodes, the outermost first; nil if the document is not certainly JSON.
    static func nodes(of bytes: [UInt8]) -> [PlainNode]? {
        // Nodes store their places in 32 bits.
        guard bytes.count < 1 << 30 else { return nil }
        var parser = PlainParser()
        parser.nodes.reserveCapacity(min(bytes.count / 4 + 2, 256))
        let text = bytes.span
        parser.skipSpace(text)
        guard parser.value(text, depth: 0) else { return nil }
        parser.skipSpace(text)
        guard parser.at == text.count else { return nil }
        if !parser.isASCII, !text.isUTF8 { return nil }
        return parser.nodes
    }

    private mutating func skipSpace(_ text: Span<UInt8>) {
        while at < text.count {
            let byte = text[at]
            if byte > 0x20 || !(byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09) { return }
            at += 1
        }
    }

    private mutating func value(_ text: Span<UInt8>, depth: Int) -> Bool {
        guard at < text.count else { return false }
        switch text[at] {
        case UInt8(ascii: "\""): return string(text, isKey: false)
        case UInt8(ascii: "{"): return depth < Self.deepest && object(text, depth: depth + 1)
        case UInt8(ascii: "["): return depth < Self.deepest && array(text, depth: depth + 1)
        case UInt8(ascii: "t"): return literal("true", .true, text)
        case UInt8(ascii: "f"): return literal("false", .false, text)
        case UInt8(ascii: "n"): return literal("null", .null, text)
        default: return number(text)
        }
    }

    mutating func append(_ kind: PlainNode.Kind, from start: Int, to end: Int) {
        nodes.append(
            PlainNode(
                kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: nodes.count + 1)))
    }

    /// Takes this byte if it comes next.
    private mutating func take(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard at < text.count, text[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func literal(_ word: StaticString, _ kind: PlainNode.Kind, _ text: Span<UInt8>) -> Bool {
        let end = at + word.utf8CodeUnitCount
        guard end <= text.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount {
            if unsafe text[at + offset] != word.utf8Start[offset] { return false }
        }
        append(kind, from: at, to: end)
        at = end
        return true
    }

    private mutating func string(_ text: Span<UInt8>, isKey: Bool) -> Bool {
        let start = at + 1
        var end = start
        var all: UInt8 = 0
        while end < text.count {
            let byte = text[end]
            if byte == UInt8(ascii: "\"") {
                if all >= 0x80 {
                    isASCII = false
                    // Keys are compared as Strings, which may be equal although their bytes are not.
                    if isKey { return false }
                }
                append(.string, from: start, to: end)
                at = end + 1
                return true
            }
            if byte < 0x20 || byte == UInt8(ascii: "\\") { return false }
            all |= byte
            end += 1
        }
        return false
    }

    private mutating func array(_ text: Span<UInt8>, depth: Int) -> Bool {
        let node = open(.array, text)
        var count = 0
        if take(UInt8(ascii: "]"), text) { return close(node, count) }
        repeat {
            skipSpace(text)
            guard value(text, depth: depth) else { return false }
            count += 1
            skipSpace(text)
        } while take(UInt8(ascii: ","), text)
        return take(UInt8(ascii: "]"), text) && close(node, count)
    }

    private mutating func object(_ text: Span<UInt8>, depth: Int) -> Bool {
        let node = open(.object, text)
        var count = 0
        var isAscending = true
        if !take(UInt8(ascii: "}"), text) {
            var previous = 0..<0
            repeat {
                skipSpace(text)
                guard at < text.count, text[at] == UInt8(ascii: "\""), string(text, isKey: true) else { return false }
                let key = nodes[nodes.count - 1].text
                if count > 0, isAscending { isAscending = Self.precedes(previous, key, text) }
                previous = key
                skipSpace(text)
                guard take(UInt8(ascii: ":"), text) else { return false }
                skipSpace(text)
                guard value(text, depth: depth) else { return false }
                count += 1
                skipSpace(text)
            } while take(UInt8(ascii: ","), text)
            guard take(UInt8(ascii: "}"), text), isAscending || count <= Self.mostUnordered else { return false }
        }
        nodes[node].isAscending = isAscending
        return close(node, count)
    }

    private static func precedes(_ first: Range<Int>, _ second: Range<Int>, _ text: Span<UInt8>) -> Bool {
        for offset in 0..<min(first.count, second.count) {
            let (one, other) = (text[first.lowerBound + offset], text[second.lowerBound + offset])
            if one != other { return one < other }
        }
        return first.count < second.count
    }

    /// Returns the container's node.
    private mutating func open(_ kind: PlainNode.Kind, _ text: Span<UInt8>) -> Int {
        append(kind, from: at, to: at)
        at += 1
        skipSpace(text)
        return nodes.count - 1
    }

    private mutating func close(_ node: Int, _ count: Int) -> Bool {
        nodes[node].number = Int64(count)
        nodes[node].end = UInt32(truncatingIfNeeded: at)
        nodes[node].next = UInt32(truncatingIfNeeded: nodes.count)
        return true
    }
}
