/// Wraps the real decoder, records which keys are requested, and takes what is missing from elsewhere.
///
/// 1. A key that a type *requests* is recorded, whether it is there or not.
/// 2. What is there is *decoded* by the real decoder; objects, again through a decoder of this kind.
/// 3. What is missing is *taken* from the fallback if decoding failed for it: from the initial value, at the same
///    place.
///
/// In arrays and dictionaries nothing is taken from the fallback. The types that JSONDecoder decodes in its own way are
/// left to the real decoder, because their `init(from:)` would do something else. A failed attempt says nothing about
/// how a value is decoded: a type may try an older form first.
struct RecordingDecoder: Decoder {
    let real: any Decoder
    let fallback: (any Decoder)?
    /// Nil if nothing is filled.
    let filling: FillingState?
    let notes: RequestedKeys

    init(_ real: any Decoder, fallback: (any Decoder)? = nil, filling: FillingState? = nil, notes: RequestedKeys) {
        self.real = real
        self.fallback = fallback
        self.filling = filling
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
        RecordingUnkeyedContainer(real: try real.unkeyedContainer(), notes: notes)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        RecordingSingleValueContainer(real: try real.singleValueContainer(), decoder: self)
    }

    /// The value here, which decodes itself through this decoder, unless JSONDecoder has its own way with the type.
    func value<T: Decodable>(of type: T.Type) throws -> T {
        if let dictionary = type as? any StringKeyedDictionary.Type,
            let value = try dictionary.recorded(try real.singleValueContainer(), notes) as? T
        {
            return value
        }
        if JSONDecoderTypes.contains(type) {
            let value = try real.singleValueContainer().decode(type)
            notes.knowsAllKeys = true
            return value
        }
        let value = try T(from: self)
        if type is any UnorderedCollection.Type { notes.isUnordered = true }
        return value
    }
}

extension Decoder {
    /// The object here; nil if it is something else.
    fileprivate func object<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key>? {
        do {
            return try container(keyedBy: type)
        } catch {
            return nil  // Of another kind: it has nothing at the same place.
        }
    }
}

/// Leaves scalars and special types to the real container; any other type decodes itself through the recording decoder.
private struct RecordingSingleValueContainer: SingleValueDecodingContainer {
    let real: any SingleValueDecodingContainer
    let decoder: RecordingDecoder

    var codingPath: [any CodingKey] { real.codingPath }

    func decodeNil() -> Bool { real.decodeNil() }
    // Otherwise the protocol's default implementations would be used for these.
    func decode(_ type: Int128.Type) throws -> Int128 { try real.decode(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try real.decode(type) }
    func decode<T: Decodable & LosslessStringConvertible>(_ type: T.Type) throws -> T { try real.decode(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(of: type) }
}
