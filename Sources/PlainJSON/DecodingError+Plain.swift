/// What a type meets in place of `JSONDecoder`'s own errors; those are told in the end.
extension DecodingError {
    /// To `JSONDecoder`, null is no Bool, and no value of any other type.
    static func null(_ type: any Any.Type) -> DecodingError {
        type == Bool.self ? .typeMismatch(type, .inDoubt) : .valueNotFound(type, .inDoubt)
    }
}

extension DecodingError.Context {
    static let inDoubt = DecodingError.Context(codingPath: [], debugDescription: "")
}
