/// The elements of an array that is being written.
struct PlainUnkeyedEncoding: UnkeyedEncodingContainer {
    let writer: PlainWriter
    let place: Int

    var codingPath: [any CodingKey] { writer.codingPath }
    var count: Int { writer.count(place) }

    func encodeNil() throws { if writer.element(place) { writer.null() } }
    func encode(_ value: Bool) throws { if writer.element(place) { writer.bool(value) } }
    func encode(_ value: String) throws { if writer.element(place) { writer.string(value) } }
    func encode(_ value: Double) throws { if writer.element(place) { writer.double(value) } }
    func encode(_ value: Float) throws { if writer.element(place) { writer.float(value) } }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
        if writer.element(place) { writer.integer(value) }
    }
    func encode(_ value: Int128) throws { writer.noteDoubt() }
    func encode(_ value: UInt128) throws { writer.noteDoubt() }
    func encode<T: Encodable>(_ value: T) throws { if writer.element(place) { try writer.value(value) } }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    /// JSONEncoder inserts the value of this encoder only when the encoder is released, and counts it from then on.
    func superEncoder() -> any Encoder {
        writer.noteDoubt()
        return PlainEncoder(writer: writer, place: PlainWriter.nowhere)
    }

    private func nested() -> PlainEncoder {
        PlainEncoder(writer: writer, place: writer.element(place) ? writer.nest() : PlainWriter.nowhere)
    }
}
