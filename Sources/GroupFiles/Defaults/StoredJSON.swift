import FoundationEssentials
import JSONText

/// What a key of ``GroupDefaults`` holds: any JSON, whose type is chosen when it is read.
struct StoredJSON: Codable, Hashable, Sendable {
    let bytes: Data

    /// What the file holds, if it is JSON.
    static let codec = GroupCodec<StoredJSON>(
        keyNames: KeyNames(JSONCoders.decoder(nil)),
        encode: { $0.bytes },
        decode: { data in
            _ = try JSONValue(parsing: Array(data))
            return StoredJSON(bytes: data)
        })

    /// Nil as JSON.
    static let null = StoredJSON(bytes: Data("null\n".utf8))

    init(bytes: Data) {
        self.bytes = bytes
    }

    init<T: Encodable>(_ value: T) throws {
        if FloatingProperty.isIn(T.self) {
            try self.init(any: value)
        } else {
            self.init(bytes: try Self.encode(value) + [UInt8(ascii: "\n")])
        }
    }

    static func encode(_ value: some Encodable) throws -> Data {
        try JSONCoders.encoder(nil).encode(value)
    }

    /// - Throws: `UnsupportedProperty`, or what encoding throws.
    init(any value: Any) throws {
        let json = try JSONValue(property: value)
        self.init(bytes: Data(JSONPrinter(sortsKeys: true).bytes(of: json) + [UInt8(ascii: "\n")]))
    }

    func decoded<T: Decodable>(as type: T.Type) -> T? {
        do {
            return try JSONCoders.decoder(nil).decode(type, from: bytes)
        } catch {
            return nil  // Of another type: treated as missing, as in UserDefaults.
        }
    }

    var json: JSONValue? {
        do throws(JSONTextError) {
            return try JSONValue(parsing: Array(bytes))
        } catch {
            return nil
        }
    }
}
