/// A decoder in front of the real one that records which keys are asked for, and has what is missing from elsewhere.
///
/// 1. A key that a type *asks for* is recorded, whether it is there or not.
/// 2. What is there is *decoded* by the real decoder; what is made of keys, again through a decoder of this kind.
/// 3. What is missing, and demanded, is *taken* from the fallback: the initial value, at the same place.
///
/// Arrays are the real decoder's alone: their elements have no lasting place. So is what JSONDecoder decodes in its own
/// way, whose `init(from:)` would do another thing.
struct RecordingDecoder: Decoder {
    let real: any Decoder
    let fallback: (any Decoder)?
    let notes: RequestedKeys

    init(_ real: any Decoder, fallback: (any Decoder)?, notes: RequestedKeys) {
        self.real = real
        self.fallback = fallback
        self.notes = notes
        notes.isDecoded = true
    }

    var codingPath: [any CodingKey] { real.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { real.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(
            RecordingKeyedContainer(
                real: try real.container(keyedBy: type), fallback: fallback?.object(keyedBy: type), decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        notes.isOpaque = true
        return try real.unkeyedContainer()
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        RecordingSingleValueContainer(real: try real.singleValueContainer(), decoder: self)
    }

    /// Whether JSONDecoder has its own way with a type.
    static func isSpecial(_ type: any Any.Type) -> Bool {
        JSONDecoderTypes.contains(type) || type is any StringKeyedDictionary.Type
    }
}

/// JSONDecoder applies no key strategy to the keys of a dictionary.
private protocol StringKeyedDictionary {}

extension Dictionary: StringKeyedDictionary where Key == String {}

extension Decoder {
    /// The object that is here, if it is one.
    fileprivate func object<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key>? {
        do {
            return try container(keyedBy: type)
        } catch {
            return nil  // Of another kind: it has nothing at the same place.
        }
    }
}

extension RecordingDecoder {
    /// The decoder of what is at a key of an object here; nil where neither it nor the fallback has it.
    func nested<Key: CodingKey>(
        _ key: Key, _ real: KeyedDecodingContainer<Key>, _ fallback: KeyedDecodingContainer<Key>?
    ) throws -> (any Decoder)? {
        let fallback = try fallback.flatMap { $0.contains(key) ? try $0.superDecoder(forKey: key) : nil }
        return real.contains(key)
            ? RecordingDecoder(try real.superDecoder(forKey: key), fallback: fallback, notes: notes[key]) : fallback
    }

    /// The decoder of what is at the key "super", which the type's own keys need not name.
    func nestedSuper() throws -> (any Decoder)? {
        try nested(.super, try real.container(keyedBy: AnyKey.self), fallback?.object(keyedBy: AnyKey.self))
    }
}

/// Passes on what is decoded as it is, and decodes what is made of it.
private struct RecordingSingleValueContainer: SingleValueDecodingContainer {
    let real: any SingleValueDecodingContainer
    let decoder: RecordingDecoder

    var codingPath: [any CodingKey] { real.codingPath }

    func decodeNil() -> Bool { real.decodeNil() }
    func decode<T: Decodable & LosslessStringConvertible>(_ type: T.Type) throws -> T { try real.decode(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if RecordingDecoder.isSpecial(type) {
            decoder.notes.isOpaque = true
            return try real.decode(type)
        }
        return try T(from: decoder)
    }
}
