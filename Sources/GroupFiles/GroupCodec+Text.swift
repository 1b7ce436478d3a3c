import FoundationEssentials

extension GroupCodec where Value: LosslessStringConvertible {
    /// The value's description as UTF-8 text, and a final newline; white space around it is ignored, but for a `String`, to
    /// which it belongs.
    public static var text: GroupCodec {
        GroupCodec(
            encode: { Data(($0.description + "\n").utf8) },
            decode: { data in
                // By bytes: to a String "\r\n" is one character, whose end is no newline.
                let bytes = data.last == UInt8(ascii: "\n") ? data.dropLast() : data
                guard let line = String(validating: bytes, as: UTF8.self) else { throw TextDecodingError.notUTF8 }
                // As it stands first: a string may well begin or end with white space.
                guard let value = Value(line) ?? Value(line.trimmed) else { throw TextDecodingError.not(Value.self) }
                return value
            })
    }
}

/// Why text is no value.
public enum TextDecodingError: Error, CustomStringConvertible {
    /// The bytes are no UTF-8.
    case notUTF8
    /// The type does not take the text.
    case not(any Any.Type)

    /// A clause for people: what the text is not.
    public var description: String {
        switch self {
        case .notUTF8: "it is not UTF-8 text"
        case .not(let type): "the text is no \(type)"
        }
    }
}
