import JSONText

extension GroupFileError {
    /// What a codec threw, said so that its user finds the place.
    static func undecodable(_ error: any Error, bytes: [UInt8], path: String, isJSON: Bool) -> GroupFileError {
        let advice = "correct the file, or write a new value"
        if isJSON, error is JSONEncoding.NotUTF8 {
            return GroupFileError(.undecodable, path: path, line: 1, column: 1, "it is not UTF-8; \(advice)")
        }
        guard isJSON, let error = error as? DecodingError else {
            return GroupFileError(.undecodable, path: path, "it does not decode: \(error); \(advice)")
        }
        // Where it is no JSON at all, our own reader says best what is wrong, and where.
        do throws(JSONTextError) {
            _ = try JSONValue(parsing: bytes)
        } catch {
            return GroupFileError(
                .undecodable, path: path, line: error.line, column: error.column, "\(error.message); \(advice)")
        }
        let (context, what) = explain(error)
        var codingPath = context.codingPath
        if case .keyNotFound = error {
            // The place is the object that lacks the key.
        } else if codingPath.isEmpty {
            codingPath = []
        }
        let place = SourcePlace(of: codingPath, in: bytes)
        var path_ = codingPath.map(\.self)
        if case .keyNotFound(let key, _) = error { path_.append(key) }
        return GroupFileError(
            .undecodable, path: path, codingPath: path_.isEmpty ? nil : describe(path_), line: place?.line,
            column: place?.column, "\(what); \(advice)")
    }

    private static func explain(_ error: DecodingError) -> (DecodingError.Context, String) {
        switch error {
        case .typeMismatch(let type, let context): (context, "it is no \(type)")
        case .valueNotFound(let type, let context): (context, "it is null where \(type) is wanted")
        case .keyNotFound(let key, let context): (context, "the key \"\(key.stringValue)\" is missing")
        case .dataCorrupted(let context): (context, context.debugDescription)
        @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
        }
    }

    /// As in `users[3].name`.
    private static func describe(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
