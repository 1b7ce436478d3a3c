/// A name as the file system compares it: byte by byte. Two strings that Swift calls equal may be two files' names, one
/// with `é` as a letter, one with `e` and an accent.
package struct ExactName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactName, right: ExactName) -> Bool {
        #if _pointerBitWidth(_64)
            // Most often it is the very same string.
            let (leftBits, rightBits) = unsafe (
                unsafeBitCast(left.text, to: Bits.self), unsafeBitCast(right.text, to: Bits.self)
            )
            if leftBits == rightBits { return true }
        #endif
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                // By hand: the library's comparison of sequences is not specialized for these, and takes ten times as long.
                if left.count != right.count { return false }
                for index in left.indices where unsafe left[index] != right[index] { return false }
                return true
            }
        }
    }

    /// What a string is made of: its length and its storage, or a short one's bytes.
    private typealias Bits = (UInt, UInt)

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
