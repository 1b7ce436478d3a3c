public import FoundationEssentials
import SystemCalls

extension GroupCodec where Value: Codable {
    /// JSON with sorted keys and a final newline, so that `cat`, `jq` and `diff` like it.
    ///
    /// Old and new versions of a program share one value: keys of an object that `Value` never asks for stay as they are
    /// written there, and a key that it demands and that is missing there is the initial value's.
    ///
    /// What is decoded is JSON from end to end, as RFC 8259 has it and in UTF-8. Anything else, such as a comma before a
    /// closing bracket, is a failure with its line and column, also in what `Value` never asks for: `JSONDecoder` alone would
    /// pass over it there.
    public static var json: GroupCodec {
        SharedCodecs.codec(of: Value.self) { .json() }
    }

    /// JSON as these configure it: dates, data, keys. Keys are sorted, and a final newline is added, in any case.
    ///
    /// A decoder that allows JSON5, or assumes a top level dictionary, decodes what it takes for JSON. Of what is not JSON by
    /// the RFC no unknown keys are carried over: a change keeps it whole in `.groupfile`.
    public static func json(
        encoder configureEncoder: (@Sendable (JSONEncoder) -> Void)? = nil,
        decoder configureDecoder: (@Sendable (JSONDecoder) -> Void)? = nil
    ) -> GroupCodec {
        let encoder = JSONCoders.encoder(configureEncoder)
        let decoder = JSONCoders.decoder(configureDecoder)
        let isStrict = !decoder.allowsJSON5 && !decoder.assumesTopLevelDictionary
        return GroupCodec(
            isJSON: true,
            encode: { value in
                var data = try encoder.encode(value)
                data.append(UInt8(ascii: "\n"))
                return data
            },
            decode: { data in
                try JSONEncoding.check(data, isStrict: isStrict)
                return try MisfitNumber.located(in: data) { trace in
                    guard let trace else { return try decoder.decode(Value.self, from: data) }
                    return try decoder.decode(Traced<Value>.self, from: data, configuration: trace).value
                }
            },
            upgrade: .json(decoder, isStrict: isStrict),
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
