import JSONText

extension GroupFileError {
    /// What a codec threw, said so that its user finds the place.
    static func undecodable(_ error: any Error, bytes: [UInt8], path: String, isJSON: Bool) -> GroupFileError {
        if isJSON, error is JSONEncoding.NotUTF8 {
            let isNothing = bytes.allSatisfy { $0 == 0 }
            let what = isNothing ? "It holds only NUL bytes, as after a power cut" : "It is not UTF-8"
            return GroupFileError(.undecodable, path: path, line: 1, column: 1, "\(what). \(advice)")
        }
        if let error = error as? JSONTextError { return noJSON(error, path) }
        guard isJSON, let error = error as? DecodingError else {
            return GroupFileError(.undecodable, path: path, "It does not decode: \(error). \(advice)")
        }
        let (context, what) = explain(error)
        // The place is that of the value which is wrong, or of the object that lacks the key.
        let place = isUnreadable(error, bytes) ? nil : SourcePlace(of: context.codingPath, in: bytes)
        var codingPath = context.codingPath
        if case .keyNotFound(let key, _) = error { codingPath.append(key) }
        return GroupFileError(
            .undecodable, path: path, codingPath: codingPath.isEmpty ? nil : describe(codingPath), line: place?.line,
            column: place?.column, "\(what). \(advice)")
    }

    /// Whether the decoder, which is configured to read more than JSON, could not read it at all: then it does not say where.
    private static func isUnreadable(_ error: DecodingError, _ bytes: [UInt8]) -> Bool {
        guard case .dataCorrupted(let context) = error, context.codingPath.isEmpty else { return false }
        do throws(JSONTextError) {
            _ = try JSONValue(parsing: bytes)
            return false
        } catch {
            return true
        }
    }

    private static let advice = "Correct the file, or write a new value."

    private static func noJSON(_ error: JSONTextError, _ path: String) -> GroupFileError {
        GroupFileError(.undecodable, path: path, line: error.line, column: error.column, "\(error.message) \(advice)")
    }

    private static func explain(_ error: DecodingError) -> (DecodingError.Context, String) {
        switch error {
        case .typeMismatch(let type, let context): (context, "It is not of type \(name(of: type))")
        case .valueNotFound(let type, let context): (context, "It is null where \(name(of: type)) is expected")
        case .keyNotFound(let key, let context): (context, "The key \"\(key.stringValue)\" is missing")
        case .dataCorrupted(let context): (context, withoutFullStop(context.debugDescription))
        @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
        }
    }

    /// Decoders say what they look for in types of their own.
    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is [String: Any].Type: "object"
        case is [Any].Type: "array"
        default: "\(type)"
        }
    }

    static func withoutFullStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// As in `users[3].name`.
    static func describe(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
