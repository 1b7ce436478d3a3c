public import FoundationEssentials
import PlainJSON
import SystemCalls

extension GroupCodec where Value: Codable {
    /// JSON with sorted keys and a final newline, convenient for `cat`, `jq` and `diff`.
    ///
    /// Old and new versions of a program can share one value: keys of an object that `Value` never asks for stay in the
    /// file as they are, and a key that it requires, but that is missing there, is taken from the initial value.
    ///
    /// The whole content must be JSON by RFC 8259, in UTF-8. Anything else, such as a comma before a closing bracket,
    /// is a failure with its line and column, even in parts that `Value` never asks for, where `JSONDecoder` alone
    /// would overlook it.
    ///
    /// A `Date` is the number of seconds since the beginning of 2001, as everywhere with `JSONEncoder`. For programs in
    /// other languages, write it in a way that they know: ``json(encoder:decoder:)``.
    public static var json: GroupCodec {
        SharedCodecs.codec(of: Value.self) { .json() }
    }

    /// JSON as configured by these coders: dates, data, keys. Keys are sorted and a final newline is added in any case.
    ///
    /// ```swift
    /// let readable = GroupCodec<Settings>.json(
    ///     encoder: { $0.dateEncodingStrategy = .iso8601 }, decoder: { $0.dateDecodingStrategy = .iso8601 })
    /// ```
    ///
    /// A decoder that allows JSON5, or assumes a top level dictionary, decodes what it accepts. Unknown keys are not
    /// carried over from content that is not JSON by the RFC: a change keeps all of it in `.groupfile`.
    public static func json(
        encoder configureEncoder: (@Sendable (JSONEncoder) -> Void)? = nil,
        decoder configureDecoder: (@Sendable (JSONDecoder) -> Void)? = nil
    ) -> GroupCodec {
        let encoder = JSONCoders.encoder(configureEncoder)
        let decoder = JSONCoders.decoder(configureDecoder)
        let isStrict = !decoder.allowsJSON5 && !decoder.assumesTopLevelDictionary
        let keyNames = KeyNames(decoder)
        return GroupCodec(
            keyNames: keyNames, isLenient: !isStrict,
            encode: { value in
                var data = try encoder.encode(value)
                data.append(UInt8(ascii: "\n"))
                return data
            },
            decode: { data in
                try JSONContent.check(data, isStrict: isStrict)
                return try UnplacedFailure.located(in: data, keyNames) { trace in
                    guard let trace else { return try decoder.decode(Value.self, from: data) }
                    return try decoder.decode(Traced<Value>.self, from: data, configuration: trace).value
                }
            },
            upgrade: .json(decoder, keyNames),
            plain: configureEncoder == nil && configureDecoder == nil ? PlainCodec() : nil)
    }
}

/// One `.json` for each type, shared by all files with such values.
private enum SharedCodecs {
    /// By type; guarded by its lock.
    private static let all = Guarded<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    static func codec<Value>(of type: Value.Type, _ make: () -> GroupCodec<Value>) -> GroupCodec<Value> {
        let id = ObjectIdentifier(type)
        // Codecs are added only here, each under the identifier of its own type.
        if let parts = all.withLock({ $0[id] }) {
            return GroupCodec(unsafe unsafeDowncast(parts, to: CodecParts<Value>.self))
        }
        let codec = make()
        all.withLock { all in all[id] = codec.parts }
        return codec
    }
}
