import Foundation
import GroupFiles
import Testing

extension Bench {
    /// The content of the value's file, or of its place in memory, as text.
    func text(of name: String) throws -> String {
        let raw = try GroupFile(name, in: container, initialValue: Data(), access: .readOnly, codec: .data)
        return String(decoding: raw.value, as: UTF8.self)
    }

    /// Writes `value` over `text`, and returns what is there then.
    static func written<T: Codable & Sendable>(
        _ value: T, over text: String, codec: GroupCodec<T> = .json
    ) throws -> String {
        let bench = try Backend.memory.make()
        try bench.put(text, in: "v")
        try GroupFile("v", in: bench.container, initialValue: value, codec: codec).write(value)
        let written = try bench.text(of: "v")
        // An update leaves the same text, unless only white space and the order would change.
        try bench.put(text, in: "w")
        try GroupFile("w", in: bench.container, initialValue: value, codec: codec).update { $0 = value }
        let updated = try bench.text(of: "w")
        #expect(updated == (text.visible == written.visible ? text : written))
        #expect(written.hasSuffix("\n"))
        return String(written.dropLast())
    }
}

extension String {
    fileprivate var visible: [Character] { filter { !$0.isWhitespace }.sorted() }
}
