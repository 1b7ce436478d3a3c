import PlainJSON

/// A dictionary whose keys are strings, which JSONDecoder decodes in a way of its own: it applies no key strategy to them.
protocol StringKeyedDictionary {
    /// Whether its values are neither objects nor arrays.
    static var isOfScalars: Bool { get }

    /// Decodes the elements, each under its key as it is in the text. If some fail, the trace ends with the first of
    /// them by key.
    static func traced(_ container: any SingleValueDecodingContainer, _ trace: DecodingTrace) throws -> Self

    /// Decodes the elements, each by a ``RecordingDecoder`` with notes of its own.
    static func recorded(_ container: any SingleValueDecodingContainer, _ notes: RequestedKeys) throws -> Self
}

extension Dictionary: StringKeyedDictionary where Key == String, Value: Decodable {
    static var isOfScalars: Bool {
        Value.self == String.self || Value.self == Bool.self || Value.self is any Numeric.Type
    }

    static func traced(_ container: any SingleValueDecodingContainer, _ trace: DecodingTrace) throws -> Self {
        let elements = try container.decode([String: TracedElement<Value>].self)
        for element in elements.sorted(by: { $0.key < $1.key }) {
            guard case .failure(let failure) = element.value.result else { continue }
            trace.follow(element.value.trace)
            throw failure
        }
        return try elements.mapValues { try $0.result.get() }
    }

    static func recorded(_ container: any SingleValueDecodingContainer, _ notes: RequestedKeys) throws -> Self {
        let value: Self
        if isOfScalars {
            value = try container.decode(Self.self)
        } else {
            let elements = try container.decode([String: RecordedElement<Value>].self)
            for (key, element) in elements { notes.store(element.notes, at: AnyKey(key)) }
            value = elements.mapValues(\.value)
        }
        notes.knowsAllKeys = true
        notes.hasKeysAsWritten = true
        return value
    }
}

private struct RecordedElement<Value: Decodable>: Decodable {
    let value: Value
    let notes = RequestedKeys.detached

    init(from decoder: any Decoder) throws {
        value = try RecordingDecoder(decoder, notes: notes).value(of: Value.self)
    }
}

/// An element with a trace of its own: if it does not decode, its result says so, and nothing is thrown.
private struct TracedElement<Value: Decodable>: Decodable {
    let trace = DecodingTrace()
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) throws {
        result = Result { [trace] in
            try TracingDecoder(real: decoder, trace: trace).singleValueContainer().decode(Value.self)
        }
    }
}
