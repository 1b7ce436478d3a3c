extension GroupFileError {
    /// Describes what a codec threw, without the value, which may be large or private. `advice` says what to do, and
    /// what became of the change.
    static func unencodable(
        _ error: any Error, path: String?, _ subject: String = "the value",
        advice: String = "write one that its codec can encode, or use another codec; nothing was changed"
    ) -> GroupFileError {
        let (codingPath, reason) = explain(error)
        return GroupFileError(
            .unencodable, path: path, codingPath: codingPath.isEmpty ? nil : describe(codingPath),
            "\(subject) cannot be encoded: \(reason)",
            callerAdvice: error is NilIsMissing ? "call remove() instead; nothing was changed" : advice)
    }

    private static func explain(_ error: any Error) -> ([any CodingKey], String) {
        guard case .invalidValue(_, let context)? = error as? EncodingError else { return ([], reason(error)) }
        let reason = withoutFullStop(context.debugDescription)
        return (context.codingPath, context.underlyingError.map { "\(reason) (\($0))" } ?? reason)
    }
}
