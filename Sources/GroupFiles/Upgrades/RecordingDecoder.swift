/// Wraps the real decoder, records which keys are requested, and takes what is missing from elsewhere.
///
/// 1. A key that a type *requests* is recorded, whether it is there or not.
/// 2. What is there is *decoded* by the real decoder; objects, again through a decoder of this kind.
/// 3. What is missing is *taken* from the fallback if decoding failed for it: from the initial value, at the same
///    place.
///
/// Arrays are left to the real decoder, because their elements have no lasting place. So are the types that JSONDecoder
/// decodes in its own way, whose `init(from:)` would do something else. A failed attempt says nothing about how a value
/// is decoded: a type may try an older form first.
struct RecordingDecoder: Decoder {
    let real: any Decoder
    let fallback: (any Decoder)?
    /// Nil if nothing is filled.
    let filling: FillingState?
    let notes: RequestedKeys

    init(_ real: any Decoder, fallback: (any Decoder)?, filling: FillingState?, notes: RequestedKeys) {
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

    /// Nothing in an array is carried over.
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try real.unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        RecordingSingleValueContainer(real: try real.singleValueContainer(), decoder: self)
    }

    /// Whether JSONDecoder decodes a type in its own way.
    static func isSpecial(_ type: any Any.Type) -> Bool {
        JSONDecoderTypes.contains(type) || type is any StringKeyedDictionary.Type
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

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if RecordingDecoder.isSpecial(type) {
            let value = try real.decode(type)
            decoder.notes.isOpaque = true
            return value
        }
        return try T(from: decoder)
    }
}
