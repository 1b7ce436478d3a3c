/// A decoder for a superclass's value that is missing, for which `JSONDecoder` has a decoder of null.
struct PlainAbsentDecoder: Decoder {
    private let document: PlainDocument
    private let object: Int
    private let key: any CodingKey

    init(_ document: PlainDocument, object: Int, _ key: any CodingKey) {
        document.noteDoubt()
        self.document = document
        self.object = object
        self.key = key
    }

    var codingPath: [any CodingKey] { document.codingPath(object) + [key] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw DecodingError.null([String: Any].self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.null([Any].self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension PlainAbsentDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { true }

    /// For Bool, String and the number types, each of which has a method of its own in the protocol.
    func decode<T: Decodable & LosslessStringConvertible>(_ type: T.Type) throws -> T {
        throw DecodingError.null(type)
    }

    // Otherwise the protocol's default implementations would be used for these.
    func decode(_ type: Int128.Type) throws -> Int128 { throw DecodingError.null(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { throw DecodingError.null(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if PlainTypes.isSpecial(type) { throw DecodingError.null(type) }
        return try T(from: self)
    }
}
