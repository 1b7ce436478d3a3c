import FoundationEssentials
import JSONText

/// Failures that `JSONDecoder` reports without saying where they are: for a number that its type cannot hold, it blames
/// the whole text, as if that were not JSON; for a date that is not ISO 8601, it blames the object or array around the
/// date.
///
/// 1. If the decoder *blames* one of these, the text is decoded once more, and the requests are *traced*.
/// 2. The last request is the one that failed: it is *reported* instead.
enum UnplacedFailure {
    /// The message of `JSONDecoder` about such a number.
    private static let blameForNumber = blame(for: "1.5", as: Int.self, JSONDecoder())

    /// Its message about such a date, if the codec says that dates are written as ISO 8601.
    private static let blameForDate: String? = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return blame(for: #"[""]"#, as: [Date].self, decoder)
    }()

    private static func blame<Value: Decodable>(
        for text: String, as type: Value.Type, _ decoder: JSONDecoder
    ) -> String? {
        do {
            _ = try decoder.decode(type, from: Data(text.utf8))
            return nil
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            return context.debugDescription
        } catch {
            return nil  // It says more than that, and this is not needed.
        }
    }

    /// Decodes `data`, and once more with a trace if the error does not say what failed.
    static func located<Value>(
        in data: Data, _ keyNames: KeyNames, _ decode: (DecodingTrace?) throws -> Value
    ) throws -> Value {
        do {
            return try decode(nil)
        } catch  where isNumber(error) || isDate(error) {
            let trace = DecodingTrace()
            do {
                return try decode(trace)
            } catch {
                throw told(error, trace, in: data, keyNames)
            }
        }
    }

    private static func isNumber(_ error: any Error) -> Bool {
        guard case DecodingError.dataCorrupted(let context) = error else { return false }
        return context.codingPath.isEmpty && context.debugDescription == blameForNumber
    }

    private static func isDate(_ error: any Error) -> Bool {
        guard case DecodingError.dataCorrupted(let context) = error else { return false }
        return context.debugDescription == blameForDate
    }

    private static func told(
        _ error: any Error, _ trace: DecodingTrace, in data: Data, _ keyNames: KeyNames
    ) -> any Error {
        guard let last = trace.last else { return error }
        if isDate(error), let blameForDate, last.type == Date.self {
            return DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: last.path, debugDescription: blameForDate))
        }
        guard isNumber(error) else { return error }
        // In text that is more than JSON the number may not be found; but a numeric type fails for no other reason.
        let number = number(at: last.path, in: Array(data), keyNames)
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
