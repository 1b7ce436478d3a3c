/// The elements of an array, one after the other.
struct PlainUnkeyedDecoding: UnkeyedDecodingContainer {
    private let document: PlainDocument
    private let array: UInt32
    /// The element that comes next.
    private var element: UInt32
    private(set) var currentIndex = 0

    init(document: PlainDocument, array: Int) {
        self.document = document
        self.array = UInt32(truncatingIfNeeded: array)
        element = self.array + 1
    }

    var codingPath: [any CodingKey] { document.codingPath(Int(array)) }
    var count: Int? { document.nodes[Int(array)].count }
    var isAtEnd: Bool { element == document.nodes[Int(array)].next }

    mutating func decodeNil() throws -> Bool {
        let isNull = document.isNull(try next())
        if isNull { advance() }
        return isNull
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { advance(past: try document.bool(try next())) }
    mutating func decode(_ type: String.Type) throws -> String { advance(past: try document.string(try next())) }
    mutating func decode(_ type: Double.Type) throws -> Double { advance(past: try document.double(try next())) }
    mutating func decode(_ type: Float.Type) throws -> Float { advance(past: try document.float(try next())) }
    mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        advance(past: try document.integer(try next()))
    }
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        advance(past: try document.leaveToJSONDecoder(try next()))
    }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        advance(past: try document.leaveToJSONDecoder(try next()))
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        advance(past: try document.decode(type, try next()))
    }

    // `JSONDecoder` implements these itself, except for integers of 128 bits.
    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        try isPresent() ? try decode(type) : nil
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let nested: PlainKeyedDecoding<NestedKey> = try document.keyedContainer(try next())
        advance()
        return KeyedDecodingContainer(nested)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        advance(past: try document.unkeyedContainer(try next()))
    }

    mutating func superDecoder() throws -> any Decoder {
        advance(past: PlainDecoder(document: document, index: try next(), isApart: true))
    }

    /// `JSONDecoder` increments its index even at the end of the array.
    private mutating func isPresent() throws -> Bool {
        if isAtEnd {
            currentIndex += 1
            return false
        }
        return try !decodeNil()
    }

    private func next() throws -> Int {
        if isAtEnd {
            document.noteDoubt()
            throw DecodingError.valueNotFound(Any.self, .inDoubt)
        }
        return Int(element)
    }

    private mutating func advance() {
        element = document.nodes[Int(element)].next
        currentIndex += 1
    }

    private mutating func advance<T>(past value: T) -> T {
        advance()
        return value
    }
}
