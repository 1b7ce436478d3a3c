/// A place in a text, as an editor shows it.
package struct SourcePlace: Equatable, Sendable, CustomStringConvertible {
    /// The line, from 1. Lines end with a line feed.
    package let line: Int
    /// The column, from 1, in Unicode scalars. A byte order mark takes none.
    package let column: Int
    /// The offset in bytes, from 0. A byte order mark takes three.
    package let byteOffset: Int

    /// The place of the byte at `byteOffset`, or of the end if the offset is beyond it.
    init(byteOffset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(byteOffset)
        var (line, lineStart) = (1, 0)
        for (offset, byte) in before.enumerated() where byte == UInt8(ascii: "\n") {
            (line, lineStart) = (line + 1, offset + 1)
        }
        self.line = line
        column = 1 + Self.scalarCount(before[lineStart...])
        self.byteOffset = before.count
    }

    /// `line:column`.
    package var description: String { "\(line):\(column)" }

    /// How many columns these bytes take; they begin at the start of a line and are valid UTF-8.
    static func scalarCount(_ bytes: ArraySlice<UInt8>) -> Int {
        let isMarked = bytes.startIndex == 0 && bytes.starts(with: JSONScanner.byteOrderMark)
        return bytes.count { $0 & 0b1100_0000 != 0b1000_0000 } - (isMarked ? 1 : 0)
    }
}
