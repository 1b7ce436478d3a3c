import FoundationEssentials
import JSONText

extension GroupCodec {
    /// For values that may be missing: nil stands for no file, and is never written; a `null` that others wrote reads
    /// as nil, too.
    var optional: GroupCodec<Value?> {
        GroupCodec<Value?>(
            keyNames: keyNames, isLenient: isLenient,
            encode: { [encode] value in
                guard let value else { throw NilIsMissing() }
                return try encode(value)
            },
            decode: { [isJSON = keyNames != nil, decode] data in
                if isJSON, data.isNullInJSON { return nil }
                return try decode(data)
            }, upgrade: upgrade?.optional)
    }
}

extension Data {
    fileprivate var isNullInJSON: Bool {
        // Any other JSON begins with another character, and need not be parsed for this. White space, and a byte order
        // mark, may come before it.
        guard first(where: { $0 > UInt8(ascii: " ") && $0 < 0x80 }) == UInt8(ascii: "n") else { return false }
        do throws(JSONTextError) {
            return if case .null = try JSONValue(parsing: Array(self)) { true } else { false }
        } catch {
            return false
        }
    }
}

/// Thrown when nil is to be written.
struct NilIsMissing: Error, CustomStringConvertible {
    var description: String { "nil stands for a missing value" }
}
