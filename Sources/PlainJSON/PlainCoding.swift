/// Decodes and encodes plain values of any `Codable` type.
enum PlainCoding<Value: Codable> {
    static func decode(_ bytes: [UInt8], _ breaker: PlainCircuitBreaker) throws(NotPlain) -> Value {
        guard breaker.allowsAttempt() else { throw NotPlain() }
        guard var document = PlainDocument(bytes) else {
            breaker.record(isPlain: false)
            throw NotPlain()
        }
        let value: Value
        do {
            value = try document.decode(Value.self, 0)
        } catch {
            breaker.record(isPlain: false)
            throw NotPlain()
        }
        // The type has kept a decoder: with `JSONDecoder`, that decoder would be at another place by now.
        if !isKnownUniquelyReferenced(&document) { document.noteDoubt() }
        breaker.record(isPlain: !document.isInDoubt)
        if document.isInDoubt { throw NotPlain() }
        return value
    }

    static func encode(_ value: Value, _ breaker: PlainCircuitBreaker) -> [UInt8]? {
        guard breaker.allowsAttempt() else { return nil }
        let writer = PlainWriter()
        do {
            try writer.value(value)
        } catch {
            writer.noteDoubt()
        }
        breaker.record(isPlain: !writer.isInDoubt)
        return writer.line()
    }
}
