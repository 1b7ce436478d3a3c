extension Span<UInt8> {
    /// Whether the bytes are UTF-8 throughout.
    package var isUTF8: Bool {
        do {
            _ = try UTF8Span(validating: self)
            return true
        } catch {
            return false
        }
    }
}
