/// Any `Codable` type's values, where they are plain.
struct PlainCoding<Value: Codable> {
    static func decode(_ bytes: [UInt8], _ trial: PlainTrial) -> Value? {
        guard trial.begin() else { return nil }
        guard var document = PlainDocument(bytes) else {
            trial.end(.content)
            return nil
        }
        do {
            let value = try document.decode(Value.self, 0)
            // A decoder that is kept would be at another place, had JSONDecoder made it.
            if !isKnownUniquelyReferenced(&document) { document.note(.content) }
            trial.end(document.doubt)
            return document.doubt == nil ? value : nil
        } catch {
            trial.end(document.doubt ?? .content)
            return nil
        }
    }

    static func encode(_ value: Value, _ trial: PlainTrial) -> [UInt8]? {
        guard trial.begin() else { return nil }
        let writer = PlainWriter()
        do {
            try writer.value(value)
        } catch {
            writer.note(.content)
        }
        trial.end(writer.doubt)
        return writer.line()
    }
}
