import FoundationEssentials
import JSONText

/// How old and new versions of a program share one value: neither takes away what only the other knows.
///
/// 1. What this version knows is *noted* while it decodes what is there: the keys that it asks for.
/// 2. What it never asked for is *carried over*, as written, into what it writes; all else is as it writes it.
/// 3. A key that it demands and an older version did not write is *taken* from the initial value.
struct JSONUpgrade<Value: Sendable>: Sendable {
    /// Decodes, and takes notes. What is demanded and missing comes from `initial`, which is as the value's own encoding.
    let decode: @Sendable (_ data: Data, _ initial: Data?, _ notes: RequestedKeys) throws -> Value
    let keyNames: KeyNames

    /// As this value is decoded; nil for types that are never decoded by key.
    static func json(_ decoder: JSONDecoder) -> JSONUpgrade? where Value: Codable {
        if RecordingDecoder.isSpecial(Value.self) { return nil }
        return JSONUpgrade(
            decode: { data, initial, notes in
                try UnrepresentableNumber.located(in: data) { trace in
                    let demand = Demand(notes: notes, trace: trace)
                    guard let initial else {
                        return try decoder.decode(Noted<Value>.self, from: data, configuration: demand).value
                    }
                    let beside = Beside { fallback in
                        try decoder.decode(
                            Noted<Value>.self, from: data,
                            configuration: Demand(notes: notes, fallback: fallback, trace: trace)
                        ).value
                    }
                    return try decoder.decode(Fallback<Value>.self, from: initial, configuration: beside).value
                }
            }, keyNames: KeyNames(decoder))
    }

    var optional: JSONUpgrade<Value?> {
        JSONUpgrade<Value?>(decode: { [decode] in try decode($0, $1, $2) }, keyNames: keyNames)
    }

    /// The new text with what the old one holds that the type does not know; nil where there is no such thing.
    ///
    /// - Parameter initial: The initial value's encoding, called where it is needed.
    /// - Throws: Where the old text is no JSON, so that nobody knows what it holds.
    func carrying(from old: [UInt8], into new: [UInt8], initial: () -> Data?) throws(JSONTextError) -> [UInt8]? {
        let (oldOutline, newOutline) = (try JSONOutline(parsing: old), try JSONOutline(parsing: new))
        if newOutline.hasEveryKey(of: oldOutline) { return nil }
        do {
            let notes = RequestedKeys()
            _ = try decode(Data(old), initial(), notes)
            var carrier = UnknownMembers(old: old, new: new, keyNames: keyNames)
            try carrier.collect(oldOutline, newOutline, notes)
            return carrier.merged
        } catch {
            return nil  // What is there is no value, and knows no keys: it is kept whole.
        }
    }
}

private struct Demand {
    let notes: RequestedKeys
    var fallback: (any Decoder)?
    var trace: DecodingTrace?
}

/// A value, decoded by a ``RecordingDecoder``.
private struct Noted<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration: Demand) throws {
        let real = configuration.trace.map { TracingDecoder(real: decoder, trace: $0) as any Decoder } ?? decoder
        value = try Value(from: RecordingDecoder(real, fallback: configuration.fallback, notes: configuration.notes))
    }
}

private struct Beside<Value> {
    let decode: (any Decoder) throws -> Value
}

/// A value, decoded while the decoder of the initial value is there.
private struct Fallback<Value>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration: Beside<Value>) throws {
        value = try configuration.decode(decoder)
    }
}

extension Error {
    /// Whether decoding wanted something that is not there, or null.
    var isWantOfKey: Bool {
        switch self as? DecodingError {
        case .keyNotFound, .valueNotFound: true
        default: false
        }
    }
}
