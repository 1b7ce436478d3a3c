/// A decoder of one value of a document.
struct PlainDecoder: Decoder {
    let document: PlainDocument
    let index: Int
    /// Whether the type requested it with `superDecoder`, so that it keeps its place.
    var isApart = false

    var codingPath: [any CodingKey] { document.codingPath(index) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        visit()
        let container: PlainKeyedDecoding<Key> = try document.keyedContainer(index)
        return KeyedDecodingContainer(container)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        visit()
        return try document.unkeyedContainer(index)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        visit()
        return self
    }

    private func visit() {
        if !isApart { document.visit(index) }
    }
}

extension PlainDocument {
    func keyedContainer<Key: CodingKey>(_ index: Int) throws -> PlainKeyedDecoding<Key> {
        guard nodes[index].kind == .object else { throw mismatch([String: Any].self, index) }
        return PlainKeyedDecoding(document: self, index: index)
    }

    func unkeyedContainer(_ index: Int) throws -> PlainUnkeyedDecoding {
        guard nodes[index].kind == .array else { throw mismatch([Any].self, index) }
        return PlainUnkeyedDecoding(document: self, array: index)
    }
}

extension PlainDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { document.isNull(place) }
    func decode(_ type: Bool.Type) throws -> Bool { try document.bool(place) }
    func decode(_ type: String.Type) throws -> String { try document.string(place) }
    func decode(_ type: Double.Type) throws -> Double { try document.double(place) }
    func decode(_ type: Float.Type) throws -> Float { try document.float(place) }
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T { try document.integer(place) }
    func decode(_ type: Int128.Type) throws -> Int128 { try document.leaveToJSONDecoder(place) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try document.leaveToJSONDecoder(place) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try document.decode(type, place) }

    private var place: Int {
        visit()
        return index
    }
}
