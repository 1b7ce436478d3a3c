/// JSON of values that are plain, without `JSONDecoder` and `JSONEncoder`, which take many times as long.
///
/// 1. What it gives is surely what they would give; for anything else it gives nothing, and they are *asked* from the start.
///    So all errors are theirs.
/// 2. What is not sure is *noted*, and the whole attempt with it thrown away, whatever a type made of it meanwhile.
/// 3. A type that is hardly ever sure is hardly ever *tried*.
package struct PlainCodec<Value: Sendable>: Sendable {
    /// The value. Throws, where that is not sure: an optional value's type would be looked up at each change.
    package let decode: @Sendable ([UInt8]) throws(NotPlain) -> Value
    /// The text with its final newline; nil where that is not sure.
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

    /// By a way that is shorter still, where it will do.
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
