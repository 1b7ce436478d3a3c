/// Decodes and encodes plain values as JSON, without `JSONDecoder` and `JSONEncoder`, which take many times as long.
///
/// 1. It returns only what they would certainly return; for anything else it returns nothing, and the caller *asks*
///    them to start from the beginning. So all errors are theirs.
/// 2. Doubt is *noted*, and then the whole attempt is discarded, whatever a type has made of it meanwhile.
/// 3. A type whose values are hardly ever plain is hardly ever *tried*.
package struct PlainCodec<Value: Sendable>: Sendable {
    /// Returns the value. Throws in doubt, rather than return nil: the type of an optional would be looked up at each
    /// change.
    package let decode: @Sendable ([UInt8]) throws(NotPlain) -> Value
    /// Returns the text with its final newline; nil in doubt.
    package let encode: @Sendable (Value) -> [UInt8]?
}

extension PlainCodec where Value: Codable {
    package init() {
        switch Value.self {
        case is Bool.Type: self.init(PlainScalar.bool, PlainScalar.text(of:))
        case is Int.Type: self.init(PlainScalar.integer, PlainScalar.text(of:))
        case is Double.Type: self.init({ PlainScalar.double($0) }, { (value: Double) in PlainScalar.text(of: value) })
        case is String.Type: self.init(PlainScalar.string, { (value: String) in PlainScalar.text(of: value) })
        default:
            let (decoding, encoding) = (PlainCircuitBreaker(), PlainCircuitBreaker())
            self.init(
                decode: { bytes throws(NotPlain) in try PlainCoding.decode(bytes, decoding) },
                encode: { PlainCoding.encode($0, encoding) })
        }
    }

    /// Uses an even shorter way for single scalars, where that suffices.
    private init<Scalar>(
        _ decodeScalar: @escaping @Sendable (ArraySlice<UInt8>) -> Scalar?,
        _ encodeScalar: @escaping @Sendable (Scalar) -> [UInt8]?
    ) {
        let (decoding, encoding) = (PlainCircuitBreaker(), PlainCircuitBreaker())
        self.init(
            decode: { bytes throws(NotPlain) in
                let isEnded = bytes.last == UInt8(ascii: "\n")
                guard let scalar = decodeScalar(isEnded ? bytes.dropLast() : bytes[...]), let value = scalar as? Value
                else { return try PlainCoding.decode(bytes, decoding) }
                return value
            },
            encode: { value in
                guard let scalar = value as? Scalar, let bytes = encodeScalar(scalar) else {
                    return PlainCoding.encode(value, encoding)
                }
                return bytes
            })
    }
}
