import FoundationEssentials

/// A value, decoded by a ``TracingDecoder``.
struct Traced<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration trace: DecodingTrace) throws {
        value = try TracingDecoder(real: decoder, trace: trace).singleValueContainer().decode(Value.self)
    }
}
