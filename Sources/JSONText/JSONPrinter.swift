/// Prints JSON values as jq does, but numbers as they were written.
///
/// Strings are escaped where they must be: `"`, `\` and control characters. DEL and U+0080…U+009F are escaped, too,
/// because some of them begin a command to a terminal. Everything else is printed as it is.
package struct JSONPrinter: Sendable {
    package enum Layout: Sendable {
        /// One line without spaces.
        case compact
        /// A line for each element and member, indented by two spaces per level.
        case pretty
    }

    let layout: Layout
    /// Whether members are sorted by the Unicode scalars of their keys, instead of in the order of the text.
    let sortsKeys: Bool
    /// Printing stops after this many bytes, or a few more: for callers that show only the beginning, which then takes
    /// no longer for a large value.
    let limit: Int

    package init(layout: Layout = .compact, sortsKeys: Bool = false, limit: Int = .max) {
        self.layout = layout
        self.sortsKeys = sortsKeys
        self.limit = limit
    }

    /// `value` as text, without a final newline.
    package func text(of value: JSONValue) -> String {
        String(decoding: bytes(of: value), as: UTF8.self)
    }

    /// `value` as UTF-8, without a final newline.
    package func bytes(of value: JSONValue) -> [UInt8] {
        var pieces = pieces(of: value)
        var bytes = pieces.next() ?? []
        while let piece = pieces.next() { bytes += piece }
        return bytes
    }

    /// The same in pieces, each of which is made when it is requested.
    package func pieces(of value: JSONValue) -> JSONPieces { JSONPieces(value, self) }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    package var description: String { JSONPrinter().text(of: self) }
}
