import Foundation
import GroupFiles

private struct NoNumber: Error {}

extension GroupCodec<Int> {
    /// Numbers as decimal digits and a newline. The hooks are called before a number is encoded, or a text decoded.
    static func decimal(
        encoding: @escaping @Sendable (Int) -> Void = { _ in },
        decoding: @escaping @Sendable (String) -> Void = { _ in }
    ) -> GroupCodec<Int> {
        GroupCodec(
            encode: { value in
                encoding(value)
                return Data("\(value)\n".utf8)
            },
            decode: { data in
                let text = String(decoding: data, as: UTF8.self)
                decoding(text)
                guard let value = Int(text.hasSuffix("\n") ? text.dropLast() : text[...]) else { throw NoNumber() }
                return value
            })
    }
}
