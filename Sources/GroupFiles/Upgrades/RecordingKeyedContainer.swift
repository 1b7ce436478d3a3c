import PlainJSON

/// An object of a ``RecordingDecoder``.
struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let real: KeyedDecodingContainer<Key>
    let fallback: KeyedDecodingContainer<Key>?
    /// The decoder of this object.
    let decoder: RecordingDecoder

    private var notes: RequestedKeys { decoder.notes }

    var codingPath: [any CodingKey] { real.codingPath }

    /// A type that requests all keys knows them all: a dictionary, or an enum whose case is a key. This holds even if
    /// the attempt fails: beside another case's key, the key of a newer version would make the enum undecodable.
    var allKeys: [Key] {
        notes.knowsAllKeys = true
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

    /// The container to take the value of a required key from.
    private func source(_ key: Key) -> KeyedDecodingContainer<Key> {
        notes.ask(key)
        guard !real.contains(key), let fallback, fallback.contains(key), let filling = decoder.filling,
            filling.fills(key)
        else { return real }
        return fallback
    }

    /// The decoder of the value at a key that is there.
    private func nested(_ key: Key, _ notes: RequestedKeys) throws -> RecordingDecoder {
        RecordingDecoder(
            try real.superDecoder(forKey: key),
            fallback: try fallback.flatMap { $0.contains(key) ? try $0.superDecoder(forKey: key) : nil },
            filling: decoder.filling?[key], notes: notes)
    }

    // Otherwise the protocol's default implementations would be used for these.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try source(key).decode(type, forKey: key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try source(key).decode(type, forKey: key) }

    func decode<T: Decodable & LosslessStringConvertible>(_ type: T.Type, forKey key: Key) throws -> T {
        try source(key).decode(type, forKey: key)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if real.contains(key) { return try decodePresent(type, key) }
        if type is any ExpressibleByNilLiteral.Type {
            notes.ask(key)
            return try real.decode(type, forKey: key)
        }
        return try source(key).decode(type, forKey: key)
    }

    private func decodePresent<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
        let filling = decoder.filling?[key]
        if let decoded = filling?.decoded as? DecodedValue<T> {
            notes[key] = decoded.requested
            return decoded.value
        }
        let attempt = notes.attempt(key)
        do {
            let value = try nested(key, attempt).value(of: type)
            notes.add(attempt, at: key, isFailure: false)
            filling?.decoded = DecodedValue(value, notes[key])
            return value
        } catch {
            notes.add(attempt, at: key, isFailure: true)
            throw error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        if real.contains(key) { return try nested(key, notes[key]).container(keyedBy: type) }
        return try source(key).nestedContainer(keyedBy: type, forKey: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        if real.contains(key) { return try nested(key, notes[key]).unkeyedContainer() }
        return try source(key).nestedUnkeyedContainer(forKey: key)
    }

    /// Uses the key "super", which the type's own keys need not include.
    func superDecoder() throws -> any Decoder {
        try decoder.container(keyedBy: AnyKey.self).superDecoder(forKey: .super)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        if real.contains(key) { return try nested(key, notes[key]) }
        return try source(key).superDecoder(forKey: key)
    }
}
