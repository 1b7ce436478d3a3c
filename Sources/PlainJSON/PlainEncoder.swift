/// An encoder of one value, at its place.
struct PlainEncoder: Encoder {
    let writer: PlainWriter
    let place: Int

    var codingPath: [any CodingKey] { writer.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.openObject(place)
        return KeyedEncodingContainer(PlainKeyedEncoding(writer: writer, place: place))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.openArray(place)
        return PlainUnkeyedEncoding(writer: writer, place: place)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension PlainEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { if writer.single(place) { writer.null() } }
    func encode(_ value: Bool) throws { if writer.single(place) { writer.bool(value) } }
    func encode(_ value: String) throws { if writer.single(place) { writer.string(value) } }
    func encode(_ value: Double) throws { if writer.single(place) { writer.double(value) } }
    func encode(_ value: Float) throws { if writer.single(place) { writer.float(value) } }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
        if writer.single(place) { writer.integer(value) }
    }
    func encode(_ value: Int128) throws { writer.noteDoubt() }
    func encode(_ value: UInt128) throws { writer.noteDoubt() }
    func encode<T: Encodable>(_ value: T) throws { if writer.single(place) { try writer.value(value) } }
}
