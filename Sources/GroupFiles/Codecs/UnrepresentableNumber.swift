import FoundationEssentials
import JSONText

/// A number that its type cannot hold: `JSONDecoder` then reports that the whole text is not JSON, and does not say
/// where.
///
/// 1. If it *blames* the whole text, that is decoded once more, and the requests are *traced*.
/// 2. The last request is the one that failed: it is *reported* instead.
enum UnrepresentableNumber {
    /// The message of `JSONDecoder` about such a number.
    private static let blame: String? = {
        do {
            _ = try JSONDecoder().decode(Int.self, from: Data("1.5".utf8))
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return context.debugDescription
        } catch {
            return nil  // It says more than that, and this is not needed.
        }
    }()

    /// Decodes `data`, and once more with a trace if the error does not say what failed.
    static func located<Value>(
        in data: Data, _ keyNames: KeyNames, _ decode: (DecodingTrace?) throws -> Value
    ) throws -> Value {
        do {
            return try decode(nil)
        } catch  where isBlame(error) {
            let trace = DecodingTrace()
            do {
                return try decode(trace)
            } catch {
                throw told(error, trace, in: data, keyNames)
            }
        }
    }

    private static func isBlame(_ error: any Error) -> Bool {
        guard case DecodingError.dataCorrupted(let context) = error else { return false }
        return context.codingPath.isEmpty && context.debugDescription == blame
    }

    private static func told(
        _ error: any Error, _ trace: DecodingTrace, in data: Data, _ keyNames: KeyNames
    ) -> any Error {
        guard isBlame(error), let last = trace.last else { return error }
        let number = number(at: last.path, in: Array(data), keyNames)
        // The number is not found in text that is more than JSON; but a type of numbers fails for no other reason.
        guard number != nil || last.type is any Numeric.Type else { return error }
        let what = number.map { $0.utf8.count <= 40 ? "The number \($0)" : "The number" } ?? "The number"
        return DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: last.path, debugDescription: "\(what) does not fit \(last.type)"))
    }

    private static func number(at path: [any CodingKey], in bytes: [UInt8], _ keyNames: KeyNames) -> String? {
        guard let place = keyNames.place(of: path, in: bytes) else { return nil }
        let text = bytes[place.byteOffset...].prefix { Array("+-.0123456789Ee".utf8).contains($0) }
        return JSONNumber(String(decoding: text, as: UTF8.self))?.text
    }
}

/// A value, decoded by a ``TracingDecoder``.
struct Traced<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration trace: DecodingTrace) throws {
        value = try TracingDecoder(real: decoder, trace: trace).singleValueContainer().decode(Value.self)
    }
}
