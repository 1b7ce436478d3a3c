import GroupFiles
import JSONText

/// The beginning of what may be long, made fit for a line.
enum Excerpt {
    /// Prints no more of the value than is shown.
    static func of(_ value: JSONValue, mostBytes: Int) -> String {
        of(JSONPrinter(limit: mostBytes + 1).bytes(of: value)[...], mostBytes: mostBytes)
    }

    static func of(_ text: ArraySlice<UInt8>, mostBytes: Int) -> String {
        if text.count <= mostBytes { return String(decoding: text, as: UTF8.self).oneLine }
        // Not within a Unicode scalar.
        let end = text.prefix(mostBytes + 1).lastIndex { $0 & 0xC0 != 0x80 } ?? text.startIndex
        return String(decoding: text[..<end], as: UTF8.self).oneLine + "…"
    }
}
