/// A decoder in front of the real one that records which keys are asked for, and has what is missing from elsewhere.
///
/// 1. A key that a type *asks for* is recorded, whether it is there or not.
/// 2. What is there is *decoded* by the real decoder; what is made of keys, again through a decoder of this kind.
/// 3. What is missing, and for want of which decoding failed, is *taken* from the fallback: the initial value, at the same
///    place.
///
/// Arrays are the real decoder's alone: their elements have no lasting place. So is what JSONDecoder decodes in its own
/// way, whose `init(from:)` would do another thing. Where an attempt to decode fails that says nothing of how it is decoded:
/// a type may try an older form first.
struct RecordingDecoder: Decoder {
    let real: any Decoder
    let fallback: (any Decoder)?
    /// Nil where nothing is filled.
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

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try real.unkeyedContainer()
        notes.isOpaque = true
        return container
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        RecordingSingleValueContainer(real: try real.singleValueContainer(), decoder: self)
    }

    /// Whether JSONDecoder has its own way with a type.
    static func isSpecial(_ type: any Any.Type) -> Bool {
        JSONDecoderTypes.contains(type) || type is any StringKeyedDictionary.Type
    }
}

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

/// Passes on what is decoded as it is, and decodes what is made of it.
private struct RecordingSingleValueContainer: SingleValueDecodingContainer {
    let real: any SingleValueDecodingContainer
    let decoder: RecordingDecoder

    var codingPath: [any CodingKey] { real.codingPath }

    func decodeNil() -> Bool { real.decodeNil() }
    // For these the protocol has an answer of its own.
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
