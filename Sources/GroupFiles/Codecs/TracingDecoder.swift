/// What a type asked a decoder for last: where that fails, it is what does not decode. Used by one thread.
final class DecodingTrace {
    private(set) var last: (path: [any CodingKey], type: any Any.Type)?

    func note(_ type: any Any.Type, at path: [any CodingKey]) {
        last = (path, type)
    }
}

/// A decoder in front of the real one that notes what is asked for. What is no container is the real one's.
struct TracingDecoder: Decoder {
    let real: any Decoder
    let trace: DecodingTrace

    var codingPath: [any CodingKey] { real.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { real.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(TracingKeyedContainer(real: try real.container(keyedBy: type), trace: trace))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        TracingUnkeyedContainer(real: try real.unkeyedContainer(), trace: trace)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        TracingSingleValueContainer(real: try real.singleValueContainer(), decoder: self)
    }

    /// What JSONDecoder decodes without asking the type, or in a way of its own.
    static func isLeaf(_ type: any Any.Type) -> Bool {
        type == String.self || type == Bool.self || type is any Numeric.Type
            || JSONDecoderTypes.contains(type)
    }
}

private struct TracingSingleValueContainer: SingleValueDecodingContainer {
    let real: any SingleValueDecodingContainer
    let decoder: TracingDecoder

    var codingPath: [any CodingKey] { real.codingPath }

    func decodeNil() -> Bool { real.decodeNil() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        decoder.trace.note(type, at: codingPath)
        return try TracingDecoder.isLeaf(type) ? real.decode(type) : T(from: decoder)
    }
}

private struct TracingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let real: KeyedDecodingContainer<Key>
    let trace: DecodingTrace

    var codingPath: [any CodingKey] { real.codingPath }
    var allKeys: [Key] { real.allKeys }

    func contains(_ key: Key) -> Bool { real.contains(key) }
    func decodeNil(forKey key: Key) throws -> Bool { try real.decodeNil(forKey: key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        trace.note(type, at: codingPath + [key])
        if TracingDecoder.isLeaf(type) || !real.contains(key) { return try real.decode(type, forKey: key) }
        return try T(from: try superDecoder(forKey: key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(
            TracingKeyedContainer<NestedKey>(real: try real.nestedContainer(keyedBy: type, forKey: key), trace: trace))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        TracingUnkeyedContainer(real: try real.nestedUnkeyedContainer(forKey: key), trace: trace)
    }

    func superDecoder() throws -> any Decoder { TracingDecoder(real: try real.superDecoder(), trace: trace) }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        TracingDecoder(real: try real.superDecoder(forKey: key), trace: trace)
    }
}

private struct TracingUnkeyedContainer: UnkeyedDecodingContainer {
    var real: any UnkeyedDecodingContainer
    let trace: DecodingTrace

    var codingPath: [any CodingKey] { real.codingPath }
    var count: Int? { real.count }
    var isAtEnd: Bool { real.isAtEnd }
    var currentIndex: Int { real.currentIndex }

    mutating func decodeNil() throws -> Bool { try real.decodeNil() }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        trace.note(type, at: codingPath + [AnyKey(index: currentIndex)])
        if TracingDecoder.isLeaf(type) || isAtEnd { return try real.decode(type) }
        return try T(from: try superDecoder())
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(
            TracingKeyedContainer<NestedKey>(real: try real.nestedContainer(keyedBy: type), trace: trace))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        TracingUnkeyedContainer(real: try real.nestedUnkeyedContainer(), trace: trace)
    }

    mutating func superDecoder() throws -> any Decoder {
        TracingDecoder(real: try real.superDecoder(), trace: trace)
    }
}
