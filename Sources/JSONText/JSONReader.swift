/// Reads JSON text as RFC 8259 defines it, event by event, in one pass and without recursion.
///
/// Each call of `next`: 1. skip whitespace and the comma that is due, 2. match what the grammar allows here, 3. return
/// it.
///
/// A byte order mark at the start is accepted. The first thing that is not JSON ends the reading with an error.
package struct JSONReader {
    enum Event: Equatable {
        case startObject, endObject, startArray, endArray
        case key(String)
        case null
        case bool(Bool)
        case number(String)
        case string(String)
    }

    /// What the grammar allows next.
    private enum Expectation {
        case document, firstElement, element, firstKey, key, memberValue, commaOrEnd, endOfText
    }

    /// The depth that JSONDecoder accepts, too; deeper text is an error, so that no text can exhaust a stack.
    private static let maximumDepth = 512

    private var scanner: JSONScanner
    private var expectation = Expectation.document
    /// For each open container, whether it is an object.
    private var containers: [Bool] = []
    /// Where the last event begins.
    private(set) var eventOffset = 0
    /// Where the last event ends; for a key, behind its colon.
    var endOffset: Int { scanner.position }

    init(_ bytes: [UInt8]) {
        scanner = JSONScanner(bytes)
        if bytes.starts(with: JSONScanner.byteOrderMark) { scanner.position = JSONScanner.byteOrderMark.count }
    }

    /// Starts at the position of a scanner.
    init(_ scanner: JSONScanner) {
        self.scanner = scanner
    }

    /// Throws if the text is anything but JSON: by RFC 8259, in UTF-8 with or without a byte order mark, and no deeper
    /// than a `JSONValue`.
    package static func validate(_ text: [UInt8]) throws(JSONTextError) {
        var reader = JSONReader(text)
        while try reader.next() != nil {}
    }

    /// How many containers are open.
    var depth: Int { containers.count }

    /// The next event, or nil once the text has ended after its one value.
    mutating func next() throws(JSONTextError) -> Event? {
        scanner.skipWhitespace()
        if expectation == .commaOrEnd && scanner.skip(UInt8(ascii: ",")) {
            expectation = isInObject ? .key : .element
            scanner.skipWhitespace()
        }
        eventOffset = scanner.position
        switch expectation {
        case .document, .element, .memberValue: return try value()
        case .firstElement:
            if let end = end() { return end }
            return try value()
        case .firstKey:
            if let end = end() { return end }
            return try key()
        case .key: return try key()
        case .commaOrEnd:
            if let end = end() { return end }
            throw scanner.error("Expected ',' or '\(isInObject ? "}" : "]")', found \(scanner.finding).")
        case .endOfText:
            guard scanner.next == nil else {
                throw scanner.error("Expected the end of the text after its value, found \(scanner.finding).")
            }
            return nil
        }
    }

    /// Skips the next value, with all that is in it; false if the container ends instead.
    @discardableResult
    mutating func skipValue() throws(JSONTextError) -> Bool {
        let depth = depth
        repeat { _ = try next() } while self.depth > depth
        return self.depth == depth
    }

    private var isInObject: Bool { containers.last == true }

    private mutating func value() throws(JSONTextError) -> Event {
        let event: Event
        switch scanner.next {
        case UInt8(ascii: "{"): return try start(.startObject, isObject: true)
        case UInt8(ascii: "["): return try start(.startArray, isObject: false)
        case UInt8(ascii: "\""): event = .string(try scanner.string())
        case UInt8(ascii: "t"):
            try scanner.literal("true")
            event = .bool(true)
        case UInt8(ascii: "f"):
            try scanner.literal("false")
            event = .bool(false)
        case UInt8(ascii: "n"):
            try scanner.literal("null")
            event = .null
        case let byte? where byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte):
            event = .number(try scanner.number())
        default: throw missingValue()
        }
        expectation = containers.isEmpty ? .endOfText : .commaOrEnd
        return event
    }

    private mutating func key() throws(JSONTextError) -> Event {
        guard scanner.next == UInt8(ascii: "\"") else {
            let what = expectation == .firstKey ? "a key in double quotes or '}'" : "a key in double quotes after ','"
            throw scanner.error("Expected \(what), found \(scanner.finding).")
        }
        let key = try scanner.string()
        scanner.skipWhitespace()
        guard scanner.skip(UInt8(ascii: ":")) else {
            throw scanner.error("Expected ':' after the key, found \(scanner.finding).")
        }
        expectation = .memberValue
        return .key(key)
    }

    private mutating func start(_ event: Event, isObject: Bool) throws(JSONTextError) -> Event {
        guard depth < Self.maximumDepth else {
            throw scanner.error("Expected at most \(Self.maximumDepth) levels of nesting, found more.")
        }
        scanner.position += 1
        containers.append(isObject)
        expectation = isObject ? .firstKey : .firstElement
        return event
    }

    /// The end of the innermost container, if it is here.
    private mutating func end() -> Event? {
        let isObject = isInObject
        guard scanner.skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return nil }
        containers.removeLast()
        expectation = containers.isEmpty ? .endOfText : .commaOrEnd
        return isObject ? .endObject : .endArray
    }

    private func missingValue() -> JSONTextError {
        switch expectation {
        case .document where scanner.bytes.isEmpty: scanner.error("Expected a value, but the text is empty.")
        case .document where scanner.next == nil: scanner.error("Expected a value, but the text is blank.")
        case .document where scanner.bytes.prefix(4).allSatisfy({ $0 == 0 }):
            scanner.error("Expected a value, found zero bytes, as a power cut may leave them.")
        case .document where looksLikeUTF16: scanner.error("Expected UTF-8, found what looks like UTF-16 or UTF-32.")
        case .firstElement: scanner.error("Expected a value or ']', found \(scanner.finding).")
        case .element: scanner.error("Expected a value after ',', found \(scanner.finding).")
        case .memberValue: scanner.error("Expected a value after ':', found \(scanner.finding).")
        default: scanner.error("Expected a value, found \(scanner.finding).")
        }
    }

    /// A byte order mark of UTF-16 or UTF-32, or the zero byte that their big-endian forms put before an ASCII
    /// character.
    private var looksLikeUTF16: Bool {
        scanner.bytes.starts(with: [0xFF, 0xFE]) || scanner.bytes.starts(with: [0xFE, 0xFF]) || scanner.bytes.first == 0
    }
}
