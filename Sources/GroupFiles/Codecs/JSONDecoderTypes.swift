import FoundationEssentials

/// The types that JSONDecoder decodes in its own way: dates and data by their strategies, and so on. Their own
/// `init(from:)` would do something else.
enum JSONDecoderTypes {
    static func contains(_ type: any Any.Type) -> Bool {
        type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
    }
}
