import PlainJSON

/// An array of a ``RecordingDecoder``.
struct RecordingUnkeyedContainer: UnkeyedDecodingContainer {
    private var real: any UnkeyedDecodingContainer
    private let notes: RequestedKeys

    init(real: any UnkeyedDecodingContainer, notes: RequestedKeys) {
        self.real = real
        self.notes = notes
    }

    var codingPath: [any CodingKey] { real.codingPath }
    var count: Int? { real.count }
    var isAtEnd: Bool { real.isAtEnd }
    var currentIndex: Int { real.currentIndex }

    mutating func decodeNil() throws -> Bool { try real.decodeNil() }

    // Otherwise the protocol's default implementations would be used for these.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try real.decode(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try real.decode(type) }
    mutating func decode<T: Decodable & LosslessStringConvertible>(_ type: T.Type) throws -> T { try real.decode(type) }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if isAtEnd || TracingDecoder.isLeaf(type) { return try real.decode(type) }
        let index = AnyKey(index: currentIndex)
        let attempt = notes.attempt(index)
        do {
            let value = try advance(attempt) { try $0.value(of: type) }
            notes.add(attempt, at: index, isFailure: false)
            return value
        } catch {
            notes.add(attempt, at: index, isFailure: true)
            throw error
        }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        if isAtEnd { return try real.nestedContainer(keyedBy: type) }
        return try advance(notes[currentIndex]) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if isAtEnd { return try real.nestedUnkeyedContainer() }
        return try advance(notes[currentIndex]) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try advance(notes[currentIndex]) { $0 } }

    /// Stays at the current element if its decoding fails: the type may try another form then.
    private mutating func advance<R>(_ notes: RequestedKeys, _ decode: (RecordingDecoder) throws -> R) throws -> R {
        var next = real
        let result = try decode(RecordingDecoder(try next.superDecoder(), notes: notes))
        real = next
        return result
    }
}
