/// An object of a ``RecordingDecoder``.
struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let real: KeyedDecodingContainer<Key>
    let fallback: KeyedDecodingContainer<Key>?
    /// The object's own.
    let decoder: RecordingDecoder

    private var notes: RequestedKeys { decoder.notes }

    var codingPath: [any CodingKey] { real.codingPath }

    /// Whoever wants to know all keys knows them all: a dictionary, or an enum whose case is a key.
    var allKeys: [Key] {
        notes.isOpaque = true
        return real.allKeys
    }

    func contains(_ key: Key) -> Bool {
        notes.ask(key)
        return real.contains(key)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        notes.ask(key)
        return try real.decodeNil(forKey: key)
    }

    /// Who has what is demanded at a key.
    private func source(_ key: Key) -> KeyedDecodingContainer<Key> {
        notes.ask(key)
        if !real.contains(key), let fallback, fallback.contains(key) { return fallback }
        return real
    }

    func decode<T: Decodable & LosslessStringConvertible>(_ type: T.Type, forKey key: Key) throws -> T {
        try source(key).decode(type, forKey: key)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        notes.ask(key)
        let isOptional = type is any ExpressibleByNilLiteral.Type
        if RecordingDecoder.isSpecial(type) {
            notes[key].isOpaque = true
            return try source(key).decode(type, forKey: key)
        }
        guard real.contains(key) || !isOptional, let nested = try decoder.nested(key, real, fallback) else {
            return try real.decode(type, forKey: key)
        }
        return try T(from: nested)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        notes.ask(key)
        guard let nested = try decoder.nested(key, real, fallback) else {
            return try real.nestedContainer(keyedBy: type, forKey: key)
        }
        return try nested.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        notes[key].isOpaque = true
        return try source(key).nestedUnkeyedContainer(forKey: key)
    }

    func superDecoder() throws -> any Decoder {
        notes.ask(AnyKey.super)
        return try decoder.nestedSuper() ?? real.superDecoder()
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        notes.ask(key)
        return try decoder.nested(key, real, fallback) ?? real.superDecoder(forKey: key)
    }
}
