import FoundationEssentials

/// Types that JSONDecoder decodes in its own way: dates and data by their strategies, and so on. Their `init(from:)`
/// would do something else.
enum JSONDecoderTypes {
    static func contains(_ type: any Any.Type) -> Bool {
        type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
    }
}

/// JSONDecoder applies no key strategy to the keys of a dictionary.
protocol StringKeyedDictionary {
    /// Decodes the elements, each under its key as it is in the text. If some fail, the trace ends with the first of
    /// them by key.
    static func traced(_ container: any SingleValueDecodingContainer, _ trace: DecodingTrace) throws -> Self
}

extension Dictionary: StringKeyedDictionary where Key == String, Value: Decodable {
    static func traced(_ container: any SingleValueDecodingContainer, _ trace: DecodingTrace) throws -> Self {
        let elements = try container.decode([String: TracedElement<Value>].self)
        for element in elements.sorted(by: { $0.key < $1.key }) {
            guard case .failure(let failure) = element.value.result else { continue }
            trace.follow(element.value.trace)
            throw failure
        }
        return try elements.mapValues { try $0.result.get() }
    }
}
