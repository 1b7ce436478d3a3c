import FoundationEssentials

extension GroupCodec where Value: LosslessStringConvertible {
    /// The value's description as UTF-8 text with a final newline; white space around it is ignored, except for a
    /// `String`, where it is part of the value. Content that is not UTF-8, or for which `Value.init(_:)` returns nil,
    /// does not decode.
    public static var text: GroupCodec {
        GroupCodec(
            encode: { Data(($0.description + "\n").utf8) },
            decode: { data in
                // As bytes: in a String, "\r\n" is one character, and not a newline.
                let bytes = data.last == UInt8(ascii: "\n") ? data.dropLast() : data
                guard let line = String(validating: bytes, as: UTF8.self) else {
                    throw undecodable("it is not UTF-8 text")
                }
                // First as it is: a string may well begin or end with white space.
                if let value = Value(line) ?? Value(line.trimmed) { return value }
                throw undecodable("the text is not a valid \(Value.self)")
            })
    }
}

/// The whole text is the value, so the failure is placed at its beginning.
private func undecodable(_ reason: String) -> GroupFileError {
    GroupFileError(.undecodable, line: 1, column: 1, message: reason)
}
