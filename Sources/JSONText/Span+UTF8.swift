extension Span<UInt8> {
    /// Whether the bytes are UTF-8 throughout.
    package var isUTF8: Bool { utf8Fault == nil }

    /// Where the bytes stop being UTF-8; nil if they do not.
    var utf8Fault: Int? {
        do {
            _ = try UTF8Span(validating: self)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}
