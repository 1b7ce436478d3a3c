/// The members of an object.
struct PlainKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: PlainDocument
    let index: Int

    var codingPath: [any CodingKey] { document.codingPath(index) }
    var allKeys: [Key] { document.names(index).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { place(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try at(key)) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try document.bool(try at(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try document.string(try at(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try document.double(try at(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try document.float(try at(key)) }

    @inline(__always)  // Otherwise it is not specialised for any integer, because the key is generic.
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try document.integer(try at(key))
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try document.leaveToJSONDecoder(try at(key))
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try document.leaveToJSONDecoder(try at(key))
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try document.decode(type, try at(key))
    }

    // The default implementations, which other number types use, take three steps, each with a search of its own.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map { try document.bool($0) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try document.string($0) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map { try document.double($0) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try document.integer($0) }
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try present(key).map { try document.decode(type, $0) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let nested: PlainKeyedDecoding<NestedKey> = try document.keyedContainer(try at(key))
        return KeyedDecodingContainer(nested)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try document.unkeyedContainer(try at(key))
    }

    func superDecoder() throws -> any Decoder {
        above(AnyKey.super)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        above(key)
    }

    private func above(_ key: some CodingKey) -> any Decoder {
        if let place = document.member(key.stringValue, of: index) {
            PlainDecoder(document: document, index: place, isApart: true)
        } else {
            PlainAbsentDecoder(document, object: index, key)
        }
    }

    private func place(_ key: Key) -> Int? { document.member(key.stringValue, of: index) }

    private func at(_ key: Key) throws -> Int {
        guard let place = place(key) else {
            document.noteDoubt()
            throw DecodingError.keyNotFound(key, .inDoubt)
        }
        return place
    }

    private func present(_ key: Key) -> Int? {
        guard let place = place(key), !document.isNull(place) else { return nil }
        return place
    }
}
