public import FoundationEssentials
import SystemCalls

/// How a value becomes the bytes of its file, and comes back.
///
/// A codec is used on several threads at a time.
public struct GroupCodec<Value: Sendable>: Sendable {
    package var encode: @Sendable (Value) throws -> Data { parts.encode }
    package var decode: @Sendable (Data) throws -> Value { parts.decode }
    /// Whether failures are JSON's, so that they have a line and a column.
    package var isJSON: Bool { parts.isJSON }
    /// How keys that the type does not know, or that are not there, are dealt with; nil replaces values whole.
    var upgrade: JSONUpgrade<Value>? { parts.upgrade }
    /// A shorter way for values that are plain; nil where there is none.
    package var plain: PlainJSON<Value>? { parts.plain }

    /// Apart: a file that uses the codec has no room of its own for it.
    fileprivate let parts: CodecParts<Value>

    /// A codec of your own. What `decode` throws becomes the value's `.invalid` status.
    public init(
        encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.init(isJSON: false, encode: encode, decode: decode)
    }

    package init(
        isJSON: Bool, encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.init(isJSON: isJSON, encode: encode, decode: decode, upgrade: nil)
    }

    init(
        isJSON: Bool, encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value, upgrade: JSONUpgrade<Value>?,
        plain: PlainJSON<Value>? = nil
    ) {
        parts = CodecParts(isJSON: isJSON, encode: encode, decode: decode, upgrade: upgrade, plain: plain)
    }

    fileprivate init(_ parts: CodecParts<Value>) {
        self.parts = parts
    }
}

private final class CodecParts<Value: Sendable>: Sendable {
    let encode: @Sendable (Value) throws -> Data
    let decode: @Sendable (Data) throws -> Value
    let isJSON: Bool
    let upgrade: JSONUpgrade<Value>?
    let plain: PlainJSON<Value>?

    init(
        isJSON: Bool, encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value, upgrade: JSONUpgrade<Value>?, plain: PlainJSON<Value>?
    ) {
        self.isJSON = isJSON
        self.encode = encode
        self.decode = decode
        self.upgrade = upgrade
        self.plain = plain
    }
}

extension GroupCodec where Value: Codable {
    /// JSON with sorted keys and a final newline, so that `cat`, `jq` and `diff` like it.
    ///
    /// Old and new versions of a program share one value: keys of an object that `Value` never asks for stay as they are
    /// written there, and a key that it demands and that is missing there is the initial value's.
    public static var json: GroupCodec {
        SharedCodecs.codec(of: Value.self) { .json() }
    }

    /// JSON as these configure it: dates, data, keys. Keys are sorted, and a final newline is added, in any case.
    public static func json(
        encoder configureEncoder: (@Sendable (JSONEncoder) -> Void)? = nil,
        decoder configureDecoder: (@Sendable (JSONDecoder) -> Void)? = nil
    ) -> GroupCodec {
        let encoder = JSONCoders.encoder(configureEncoder)
        let decoder = JSONCoders.decoder(configureDecoder)
        return GroupCodec(
            isJSON: true,
            encode: { value in
                var data = try encoder.encode(value)
                data.append(UInt8(ascii: "\n"))
                return data
            },
            decode: { data in
                try JSONEncoding.check(data)
                return try MisfitNumber.located(in: data) { trace in
                    guard let trace else { return try decoder.decode(Value.self, from: data) }
                    return try decoder.decode(Traced<Value>.self, from: data, configuration: trace).value
                }
            },
            upgrade: .json(decoder),
            plain: configureEncoder == nil && configureDecoder == nil ? PlainJSON() : nil)
    }
}

/// One `.json` for each type, which all files with such values share.
private enum SharedCodecs {
    private static let all = Guarded<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    static func codec<Value>(of type: Value.Type, _ make: () -> GroupCodec<Value>) -> GroupCodec<Value> {
        let id = ObjectIdentifier(type)
        // Only this puts anything there, and under a type's identity it is always that type's.
        if let parts = all.withLock({ $0[id] }) {
            return GroupCodec(unsafe unsafeDowncast(parts, to: CodecParts<Value>.self))
        }
        let codec = make()
        all.withLock { all in all[id] = codec.parts }
        return codec
    }
}

/// Encoders and decoders are configured once, and then used by all threads.
private enum JSONCoders {
    private static let plainEncoder = makeEncoder(nil)
    private static let plainDecoder = JSONDecoder()

    static func encoder(_ configure: ((JSONEncoder) -> Void)?) -> JSONEncoder {
        configure == nil ? plainEncoder : makeEncoder(configure)
    }

    static func decoder(_ configure: ((JSONDecoder) -> Void)?) -> JSONDecoder {
        guard let configure else { return plainDecoder }
        let decoder = JSONDecoder()
        configure(decoder)
        return decoder
    }

    private static func makeEncoder(_ configure: ((JSONEncoder) -> Void)?) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        configure?(encoder)
        encoder.outputFormatting.insert(.sortedKeys)
        return encoder
    }
}

/// JSON in a file is UTF-8 and nothing else; `JSONDecoder` alone would guess.
enum JSONEncoding {
    struct NotUTF8: Error {}

    static func check(_ data: Data) throws {
        // UTF-16 and UTF-32 put a NUL, or one of their own marks, within the first four bytes of any JSON.
        var start: UInt32 = 0
        for byte in data.prefix(4) {
            if byte == 0 { throw NotUTF8() }
            start = start << 8 | UInt32(byte)
        }
        if data.count >= 2 {
            let mark = data.count >= 4 ? start >> 16 : data.count == 3 ? start >> 8 : start
            if mark == 0xFFFE || mark == 0xFEFF { throw NotUTF8() }
        }
    }
}

extension GroupCodec where Value: LosslessStringConvertible {
    /// The value's description as UTF-8 text, and a final newline; white space around it is ignored.
    public static var text: GroupCodec {
        GroupCodec(
            encode: { Data(($0.description + "\n").utf8) },
            decode: { data in
                guard let text = String(validating: data, as: UTF8.self) else { throw TextDecodingError.notUTF8 }
                // As it stands first: a string may well begin or end with white space.
                let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
                if let value = Value(line) { return value }
                let trimmed = line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
                guard let value = Value(String(trimmed)) else { throw TextDecodingError.not(Value.self) }
                return value
            })
    }
}

/// Why text is no value.
public enum TextDecodingError: Error, CustomStringConvertible {
    case notUTF8
    case not(any Any.Type)

    public var description: String {
        switch self {
        case .notUTF8: "it is not UTF-8 text"
        case .not(let type): "the text is no \(type)"
        }
    }
}

extension GroupCodec where Value == Data {
    /// The bytes themselves, such as a picture's.
    public static var data: GroupCodec {
        GroupCodec(encode: { $0 }, decode: { $0 })
    }
}
