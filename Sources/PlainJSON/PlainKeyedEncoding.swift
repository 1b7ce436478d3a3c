/// The members of an object that is being written.
struct PlainKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: PlainWriter
    let place: Int

    var codingPath: [any CodingKey] { writer.codingPath }

    func encodeNil(forKey key: Key) throws { if opens(key) { writer.null() } }
    func encode(_ value: Bool, forKey key: Key) throws { if opens(key) { writer.bool(value) } }
    func encode(_ value: String, forKey key: Key) throws { if opens(key) { writer.string(value) } }
    func encode(_ value: Double, forKey key: Key) throws { if opens(key) { writer.double(value) } }
    func encode(_ value: Float, forKey key: Key) throws { if opens(key) { writer.float(value) } }

    @inline(__always)  // Otherwise it is not specialised for any integer, because the key is generic.
    func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) throws {
        if opens(key) { writer.integer(value) }
    }

    func encode(_ value: Int128, forKey key: Key) throws { writer.noteDoubt() }
    func encode(_ value: UInt128, forKey key: Key) throws { writer.noteDoubt() }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { if opens(key) { try writer.value(value) } }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested("super") }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }

    private func nested(_ key: String) -> PlainEncoder {
        PlainEncoder(writer: writer, place: writer.member(key, place) ? writer.nest() : PlainWriter.nowhere)
    }

    private func opens(_ key: Key) -> Bool { writer.member(key.stringValue, place) }
}
