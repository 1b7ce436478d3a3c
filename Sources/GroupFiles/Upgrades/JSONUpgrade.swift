import FoundationEssentials
import JSONText

/// How old and new versions of a program share one value: neither takes away what only the other knows.
///
/// 1. What this version knows is *recorded* while it decodes what is there: the keys that it asks for.
/// 2. What it never asked for is *carried over*, as written, into what it writes; all else is as it writes it.
/// 3. A key that it cannot do without, and that an older version did not write, is *taken* from the initial value.
struct JSONUpgrade<Value: Sendable>: Sendable {
    /// Decodes, and records which keys are asked for. What is missing is the filling's.
    let decode: @Sendable (_ data: Data, _ filling: Filling?) throws -> (value: Value, requested: RequestedKeys)
    let keyNames: KeyNames

    /// As this value is decoded; nil for types that are never decoded by key.
    static func json(_ decoder: JSONDecoder) -> JSONUpgrade? where Value: Codable {
        if RecordingDecoder.isSpecial(Value.self) { return nil }
        let keyNames = KeyNames(decoder)
        return JSONUpgrade(
            decode: { data, filling in
                try UnrepresentableNumber.located(in: data, keyNames) { trace in
                    func decode(_ fallback: (any Decoder)?) throws -> (Value, RequestedKeys) {
                        let context = RecordingContext(fallback: fallback, wanted: filling?.wanted, trace: trace)
                        let recorded = try decoder.decode(Recorded<Value>.self, from: data, configuration: context)
                        return (recorded.value, recorded.requested)
                    }
                    guard let filling else { return try decode(nil) }
                    return try decoder.decode(
                        WithFallback.self, from: filling.initial, configuration: FallbackDecoding(decode: decode)
                    ).value
                }
            }, keyNames: keyNames)
    }

    var optional: JSONUpgrade<Value?> {
        JSONUpgrade<Value?>(
            decode: { [decode] data, filling in
                let (value, requested) = try decode(data, filling)
                return (value, requested)
            }, keyNames: keyNames)
    }

    /// The new text with what the old one holds that the type does not know; nil where there is no such thing.
    ///
    /// - Parameter initial: The initial value's encoding, called where it is needed.
    /// - Throws: Where nobody knows which part of the old text that is: it is no JSON, or no value.
    func carrying(from old: [UInt8], into new: [UInt8], initial: () -> Data?) throws -> [UInt8]? {
        let (oldOutline, newOutline) = (try JSONOutline(parsing: old), try JSONOutline(parsing: new))
        if newOutline.hasEveryKey(of: oldOutline) { return nil }
        let requested = try requestedKeys(Data(old), initial)
        var carrier = UnknownMembers(old: old, new: new, keyNames: keyNames)
        try carrier.collect(oldOutline, newOutline, requested)
        return carrier.merged
    }

    private func requestedKeys(_ data: Data, _ initial: () -> Data?) throws -> RequestedKeys {
        do {
            return try decode(data, nil).requested
        } catch {
            guard let filling = Filling(error, initial) else { throw error }
            return try decode(data, filling).requested
        }
    }
}

private struct RecordingContext {
    let fallback: (any Decoder)?
    let wanted: [any CodingKey]?
    let trace: DecodingTrace?
}

/// A value, decoded by a ``RecordingDecoder``: once more for each key that it cannot do without, and that is missing.
private struct Recorded<Value: Decodable>: DecodableWithConfiguration {
    let value: Value
    let requested: RequestedKeys

    init(from decoder: any Decoder, configuration: RecordingContext) throws {
        let real = configuration.trace.map { TracingDecoder(real: decoder, trace: $0) as any Decoder } ?? decoder
        let filling = configuration.wanted.map(FillingState.init(filling:))
        while true {
            let requested = RequestedKeys()
            do {
                value = try Value(
                    from: RecordingDecoder(
                        real, fallback: configuration.fallback, filling: filling, notes: requested))
                self.requested = requested
                return
            } catch {
                guard let filling, filling.fill(error) else { throw error }
            }
        }
    }
}

private struct FallbackDecoding<Value> {
    let decode: (any Decoder) throws -> Value
}

/// A value, decoded while the decoder of the initial value is there.
private struct WithFallback<Value>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration: FallbackDecoding<Value>) throws {
        value = try configuration.decode(decoder)
    }
}
