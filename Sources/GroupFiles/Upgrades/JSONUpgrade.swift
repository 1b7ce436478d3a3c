import FoundationEssentials
import JSONText

/// How old and new versions of a program share one value: neither removes what only the other knows.
///
/// 1. The keys that this version knows are *recorded* while it decodes the present text: they are those that it
///    requests.
/// 2. Members that it never requested are *carried over*, as written, into what it writes; everything else is as it
///    writes it. Of a list, this needs what it would write for the present value, too: that tells which elements stay.
/// 3. A key that it requires, but an older version did not write, is *taken* from the initial value.
struct JSONUpgrade<Value: Sendable>: Sendable {
    /// Decodes, and records which keys are requested. What is missing is taken from the filling.
    let decode: @Sendable (_ data: Data, _ filling: Filling?) throws -> (value: Value, requested: RequestedKeys)
    let keyNames: KeyNames

    /// The upgrade for values that this decoder decodes, and whose key names these are; nil for types in which nothing
    /// is decoded by key.
    static func json(_ decoder: JSONDecoder, _ keyNames: KeyNames) -> JSONUpgrade? where Value: Codable {
        if JSONDecoderTypes.contains(Value.self) { return nil }
        if let dictionary = Value.self as? any StringKeyedDictionary.Type, dictionary.isOfScalars { return nil }
        return JSONUpgrade(
            decode: { data, filling in
                try UnplacedFailure.located(in: data, keyNames) { trace in
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

    /// The new text with the members of the old one that the type does not know; nil if there are none.
    ///
    /// - Parameter initial: Returns the initial value's encoding; called only if needed.
    /// - Parameter encode: Encodes a value, as the new text was encoded; called only if needed.
    /// - Throws: An error if nobody can know which members of the old text these are: the text is not JSON, or does not
    ///   decode.
    func carrying(
        from old: [UInt8], into new: [UInt8], initial: () -> Data?, encode: (Value) throws -> [UInt8]
    ) throws -> [UInt8]? {
        let (oldOutline, newOutline) = (try JSONOutline(parsing: old), try JSONOutline(parsing: new))
        let isComplete =
            Value.self is any StringKeyedDictionary.Type
            ? newOutline.hasEveryKeyInValues(of: oldOutline) : newOutline.hasEveryKey(of: oldOutline)
        if isComplete { return nil }
        let (value, requested) = try decodeFilled(Data(old), initial)
        var members = UnknownMembers(old: old, new: new, keyNames: keyNames)
        try members.collect(oldOutline, newOutline, requested)
        if !members.lists.isEmpty {
            let base: [UInt8]
            do { base = try encode(value) } catch { return members.merged }  // Then lists are replaced whole.
            try members.collectInLists(base: base)
        }
        return members.merged
    }

    private func decodeFilled(_ data: Data, _ initial: () -> Data?) throws -> (value: Value, requested: RequestedKeys) {
        do {
            return try decode(data, nil)
        } catch {
            guard let filling = Filling(error, initial) else { throw error }
            return try decode(data, filling)
        }
    }
}

private struct RecordingContext {
    let fallback: (any Decoder)?
    let wanted: [any CodingKey]?
    let trace: DecodingTrace?
}

/// A value, decoded by a ``RecordingDecoder``, again and again for as long as it lacks required keys that can be
/// filled.
private struct Recorded<Value: Decodable>: DecodableWithConfiguration {
    let value: Value
    let requested: RequestedKeys

    init(from decoder: any Decoder, configuration: RecordingContext) throws {
        let real = configuration.trace.map { TracingDecoder(real: decoder, trace: $0) as any Decoder } ?? decoder
        let filling = configuration.wanted.map(FillingState.init(filling:))
        while true {
            let requested = RequestedKeys()
            do {
                value = try RecordingDecoder(
                    real, fallback: configuration.fallback, filling: filling, notes: requested
                ).value(of: Value.self)
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

/// A value, decoded while a decoder of the initial value is at hand.
private struct WithFallback<Value>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration: FallbackDecoding<Value>) throws {
        value = try configuration.decode(decoder)
    }
}
