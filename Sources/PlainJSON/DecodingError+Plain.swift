/// What a type gets in place of `JSONDecoder`'s own errors, which are the ones reported in the end.
extension DecodingError {
    /// Where it finds null, `JSONDecoder` reports a type mismatch for Bool, and a missing value for any other type.
    static func null(_ type: any Any.Type) -> DecodingError {
        type == Bool.self ? .typeMismatch(type, .inDoubt) : .valueNotFound(type, .inDoubt)
    }
}

extension DecodingError.Context {
    static let inDoubt = DecodingError.Context(codingPath: [], debugDescription: "")
}
