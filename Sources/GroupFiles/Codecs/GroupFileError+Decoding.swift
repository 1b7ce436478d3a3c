import FoundationEssentials
import JSONText
import PlainJSON

extension GroupFileError {
    /// Describes what a codec threw, so that the user finds the place.
    ///
    /// - Parameter keyNames: The codec's; nil if it is not a JSON codec: then nothing says where in the text the
    ///   failure is.
    static func undecodable(
        _ error: any Error, bytes: [UInt8], path: String, keyNames: KeyNames?
    ) -> GroupFileError {
        if keyNames != nil, error is JSONContent.NotUTF8 {
            let isNothing = bytes.allSatisfy { $0 == 0 }
            let what = isNothing ? "The file holds only NUL bytes, as may happen after a power cut" : "It is not UTF-8"
            return GroupFileError(.undecodable, path: path, line: 1, column: 1, "\(what). \(advice)")
        }
        if let error = error as? JSONTextError { return noJSON(error, path) }
        // Thrown by a codec of the user's own; an error that names a path is about another file.
        if let error = error as? GroupFileError, error.code == .undecodable, error.path == nil {
            return GroupFileError(
                .undecodable, path: path, codingPath: error.codingPath, line: error.line, column: error.column,
                "It does not decode: \(withoutFullStop(error.message)). \(advice)")
        }
        guard let error = error as? DecodingError else {
            return GroupFileError(.undecodable, path: path, "It does not decode: \(reason(error)). \(advice)")
        }
        var (context, what) = explain(error)
        if keyNames == nil, let cause = context.underlyingError { what += " (\(cause))" }
        // The place of the wrong value, or of the object that lacks the key.
        let place = keyNames.flatMap { isUnreadable(error, bytes) ? nil : $0.place(of: context.codingPath, in: bytes) }
        if let place, case .typeMismatch(let type, _) = error, type == Double.self, holdsDate(bytes, place) {
            what += ", as a Date is written unless its codec says otherwise"
        }
        if let place, context.debugDescription == invalidCase, let name = unknownCase(bytes, place),
            case .typeMismatch(let type, _) = error
        {
            what = "It is not of type \(type), which has no case \"\(name)\""
        }
        var codingPath = context.codingPath
        if case .keyNotFound(let key, _) = error { codingPath.append(key) }
        return GroupFileError(
            .undecodable, path: path, codingPath: codingPath.isEmpty ? nil : describe(codingPath), line: place?.line,
            column: place?.column, "\(what). \(advice)")
    }

    /// Whether a decoder that is configured to accept more than JSON could not read the text at all: then it does not
    /// say where.
    private static func isUnreadable(_ error: DecodingError, _ bytes: [UInt8]) -> Bool {
        guard case .dataCorrupted(let context) = error, context.codingPath.isEmpty else { return false }
        return !JSONContent.isJSON(.bytes(bytes))
    }

    private static let advice = "Correct the file, or write a new value."

    private static func noJSON(_ error: JSONTextError, _ path: String) -> GroupFileError {
        GroupFileError(.undecodable, path: path, line: error.line, column: error.column, "\(error.message) \(advice)")
    }

    private static func explain(_ error: DecodingError) -> (DecodingError.Context, String) {
        switch error {
        case .typeMismatch(let type, let context):
            let description = withoutFullStop(context.debugDescription)
            let kind = kind(of: type) ?? "of type \(type)"
            if !description.hasPrefix("Expected to decode ") { return (context, "It is not \(kind): \(description)") }
            return (context, "It is \(found(description).map { "\($0), " } ?? "")not \(kind)")
        case .valueNotFound(let type, let context):
            let isEnd = context.debugDescription.contains(" is at end")
            let what = kind(of: type) ?? "\(type)"
            return (context, "\(isEnd ? "The array ends" : "It is null") where \(what) is expected")
        case .keyNotFound(let key, let context): return (context, "The key \"\(key.stringValue)\" is missing")
        case .dataCorrupted(let context): return (context, withoutFullStop(context.debugDescription))
        @unknown default: return (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
        }
    }

    /// The kind of container that a decoder expected, if it names it by one of the types that stand for containers; nil
    /// for all other types.
    private static func kind(of type: any Any.Type) -> String? {
        switch type {
        case is [String: Any].Type: "an object"
        case is [Any].Type, is any UnkeyedDecodingContainer.Type, is (any UnkeyedDecodingContainer).Type: "an array"
        default: "\(type)".hasPrefix("KeyedDecodingContainer<") ? "an object" : nil
        }
    }

    /// What a decoder found instead, according to its message, in JSON's terms.
    private static func found(_ description: String) -> String? {
        let words = [
            "a string": "a string", "number": "a number", "bool": "a Boolean", "null": "null", "an array": "an array",
            "a dictionary": "an object",
        ]
        return words.first { description.hasSuffix(" but found \($0.key) instead") }?.value
    }

    /// What an error says of itself: its description for users, if it has one.
    static func reason(_ error: any Error) -> String {
        withoutFullStop((error as? any LocalizedError)?.errorDescription ?? "\(error)")
    }

    /// Whether the place holds a string that begins like a date.
    private static func holdsDate(_ bytes: [UInt8], _ place: SourcePlace) -> Bool {
        let start = bytes[place.byteOffset...].prefix(6)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return start.first == UInt8(ascii: "\"") && start.last == UInt8(ascii: "-")
            && start.dropFirst().prefix(4).allSatisfy(digits.contains) && start.count == 6
    }

    /// What Swift says of an enum whose case it does not know, because it is a newer version's.
    private static let invalidCase = "Invalid number of keys found, expected one."

    /// The name of the case that an object stands for: its only key.
    private static func unknownCase(_ bytes: [UInt8], _ place: SourcePlace) -> String? {
        do throws(JSONTextError) {
            let members = try JSONOutline(parsing: bytes).container(at: place.byteOffset).members ?? []
            guard members.count == 1 else { return nil }
            let name = members[0].key
            return name.count <= 40 ? name : "\(name.prefix(40))…"
        } catch {
            return nil  // What a lenient decoder reads need not be JSON.
        }
    }

    static func withoutFullStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// A coding path as text, such as `users[3].name` or `tables["1"]["odd key"]`.
    static func describe(_ path: [any CodingKey]) -> String {
        let steps = path.map { key in
            // An object's key may be a number, too; all coders name the key of an element after its index.
            if let index = key.intValue, key.stringValue == AnyKey(index: index).stringValue {
                JSONPath.Step.index(index)
            } else {
                JSONPath.Step.key(key.stringValue)
            }
        }
        return String(JSONPath(steps).description.dropFirst())
    }
}
