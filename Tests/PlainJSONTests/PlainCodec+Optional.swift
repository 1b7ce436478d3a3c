import PlainJSON

extension PlainCodec {
    /// Nil where the codec is not sure.
    func value(in bytes: [UInt8]) -> Value? {
        do throws(NotPlain) { return try decode(bytes) } catch { return nil }
    }
}
