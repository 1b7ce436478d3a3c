public import FoundationEssentials
import PlainJSON

/// How a value is encoded as the bytes of its file, and decoded from them.
///
/// A codec is used on several threads at a time, also while the value's lock is held: changing the same value within it
/// then throws `.nested`. If `decode` reads the same `value` that it decodes, it may still see the previous one.
public struct GroupCodec<Value: Sendable>: Sendable {
    var encode: @Sendable (Value) throws -> Data { parts.encode }
    package var decode: @Sendable (Data) throws -> Value { parts.decode }
    /// The names that the type uses for keys, if this is a JSON codec, whose failures have a line and a column. Nil for
    /// all other codecs.
    var keyNames: KeyNames? { parts.keyNames }
    /// How keys are handled that the type does not know, or that are missing; if nil, values are replaced as a whole.
    var upgrade: JSONUpgrade<Value>? { parts.upgrade }
    /// Whether the codec decodes more than JSON: comments, say, which no value holds.
    var isLenient: Bool { parts.isLenient }
    /// A shorter way for plain values; nil if there is none.
    var plain: PlainCodec<Value>? { parts.plain }

    /// Boxed, so that a file stores only one pointer for its codec.
    let parts: CodecParts<Value>

    /// A codec of your own. An error thrown by `decode` becomes the value's `.invalid` status; if `encode` throws, a
    /// write throws `.unencodable`, and nothing is written. The failure has the coding path of a `DecodingError` or an
    /// `EncodingError`, and the `errorDescription`, or else the description, of any other error. If `decode` knows the
    /// line, it can throw a ``GroupFileError`` with the code `.undecodable`, a line and no path: the failure then has
    /// its line and column.
    public init(
        encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.init(keyNames: nil, encode: encode, decode: decode)
    }

    init(
        keyNames: KeyNames?, isLenient: Bool = false, encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value, upgrade: JSONUpgrade<Value>? = nil,
        plain: PlainCodec<Value>? = nil
    ) {
        parts = CodecParts(
            keyNames: keyNames, isLenient: isLenient, encode: encode, decode: decode, upgrade: upgrade, plain: plain)
    }

    init(_ parts: CodecParts<Value>) {
        self.parts = parts
    }
}

final class CodecParts<Value: Sendable>: Sendable {
    let encode: @Sendable (Value) throws -> Data
    let decode: @Sendable (Data) throws -> Value
    let keyNames: KeyNames?
    let isLenient: Bool
    let upgrade: JSONUpgrade<Value>?
    let plain: PlainCodec<Value>?

    init(
        keyNames: KeyNames?, isLenient: Bool, encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value, upgrade: JSONUpgrade<Value>?, plain: PlainCodec<Value>?
    ) {
        self.keyNames = keyNames
        self.isLenient = isLenient
        self.encode = encode
        self.decode = decode
        self.upgrade = upgrade
        self.plain = plain
    }
}

extension GroupCodec where Value == Data {
    /// The raw bytes, such as those of a picture.
    public static var data: GroupCodec {
        GroupCodec(encode: { $0 }, decode: { $0 })
    }
}
