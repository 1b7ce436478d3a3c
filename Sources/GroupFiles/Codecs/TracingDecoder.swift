import PlainJSON

/// Wraps the real decoder, and notes what types request from it. Anything that is not a container is left to the real
/// decoder.
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

    /// Whether JSONDecoder decodes a type without its `init(from:)`, or in its own way.
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

    // Otherwise the protocol's default implementations would be used for these.
    func decode(_ type: Int128.Type) throws -> Int128 { decoder.trace.fulfilled(try asked(type).decode(type)) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { decoder.trace.fulfilled(try asked(type).decode(type)) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let real = asked(type)
        if let dictionary = type as? any StringKeyedDictionary.Type {
            guard let value = try dictionary.traced(real, decoder.trace) as? T else { return try real.decode(type) }
            return value
        }
        return decoder.trace.fulfilled(try TracingDecoder.isLeaf(type) ? real.decode(type) : T(from: decoder))
    }

    /// Stores the path at once, because JSONDecoder's decoder cannot be asked for it later. For types that are made of
    /// containers, the requests that they make of these are noted.
    private func asked(_ type: any Any.Type) -> any SingleValueDecodingContainer {
        if TracingDecoder.isLeaf(type) {
            let path = codingPath
            decoder.trace.note(type) { path }
        }
        return real
    }
}

private struct TracingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let real: KeyedDecodingContainer<Key>
    let trace: DecodingTrace
    private let place: DecodingTrace.Place

    init(real: KeyedDecodingContainer<Key>, trace: DecodingTrace) {
        self.real = real
        self.trace = trace
        place = { real.codingPath }
    }

    var codingPath: [any CodingKey] { real.codingPath }
    var allKeys: [Key] { real.allKeys }

    func contains(_ key: Key) -> Bool { real.contains(key) }
    func decodeNil(forKey key: Key) throws -> Bool { try real.decodeNil(forKey: key) }

    // Otherwise the protocol's default implementations would be used for these.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        trace.fulfilled(try asked(type, key).decode(type, forKey: key))
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        trace.fulfilled(try asked(type, key).decode(type, forKey: key))
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let real = asked(type, key)
        if TracingDecoder.isLeaf(type) || !real.contains(key) {
            return trace.fulfilled(try real.decode(type, forKey: key))
        }
        return trace.fulfilled(try superDecoder(forKey: key).singleValueContainer().decode(type))
    }

    private func asked(_ type: any Any.Type, _ key: Key) -> KeyedDecodingContainer<Key> {
        trace.note(type, key, in: place)
        return real
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
    private var real: any UnkeyedDecodingContainer
    let trace: DecodingTrace
    private let place: DecodingTrace.Place

    init(real: any UnkeyedDecodingContainer, trace: DecodingTrace) {
        self.real = real
        self.trace = trace
        place = { real.codingPath }
    }

    var codingPath: [any CodingKey] { real.codingPath }
    var count: Int? { real.count }
    var isAtEnd: Bool { real.isAtEnd }
    var currentIndex: Int { real.currentIndex }

    mutating func decodeNil() throws -> Bool { try real.decodeNil() }

    // Otherwise the protocol's default implementations would be used for these.
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        note(type)
        return trace.fulfilled(try real.decode(type))
    }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        note(type)
        return trace.fulfilled(try real.decode(type))
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        note(type)
        if TracingDecoder.isLeaf(type) || isAtEnd { return trace.fulfilled(try real.decode(type)) }
        return trace.fulfilled(try superDecoder().singleValueContainer().decode(type))
    }

    private func note(_ type: any Any.Type) {
        trace.note(type, AnyKey(index: currentIndex), in: place)
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
