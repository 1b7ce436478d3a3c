/// A look at the keys of two JSON texts, side by side and without building anything of either.
///
/// 1. In objects that both have at one place, each key of the first text is *looked for* in the second, onwards from the
///    one before it: texts with sorted keys have them in the same order.
/// 2. A value that is no object in both is *passed over*.
///
/// The texts need not be JSON: what is not is passed over, or nothing is said of it.
package struct JSONKeyGlance {
    private let bytes: [UInt8]
    private var position = 0

    /// Whether every key of `first` is in `second`, at the same place. False also where a glance does not tell: keys come
    /// in another order, are written in another way, or are there twice.
    package static func isEveryKey(of first: [UInt8], in second: [UInt8]) -> Bool {
        var (left, right) = (JSONKeyGlance(first), JSONKeyGlance(second))
        /// How many objects are open, in both.
        var depth = 0
        repeat {
            // At a value, in both.
            if left.skip(UInt8(ascii: "{")) {
                if right.skip(UInt8(ascii: "{")) { depth += 1 } else { left.passObject(); right.passValue() }
            } else {
                left.passValue()
                right.passValue()
            }
            // Behind one: on to the next pair, out of the objects that end here.
            while depth > 0 {
                _ = left.skip(UInt8(ascii: ","))
                if left.skip(UInt8(ascii: "}")) {
                    right.passObject()
                    depth -= 1
                    continue
                }
                guard let key = left.key(), right.passMembers(before: key, of: left) else { return false }
                break
            }
        } while depth > 0
        return left.isAtEnd
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return position == bytes.count
        }
    }

    private mutating func skipBlanks() {
        while position < bytes.count, JSONScanner.isBlank(bytes[position]) { position += 1 }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Steps over a key and its colon; where it stands, quotes included.
    private mutating func key() -> Range<Int>? {
        skipBlanks()
        let start = position
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        passString()
        let end = position
        return skip(UInt8(ascii: ":")) ? start..<end : nil
    }

    /// Steps to the value of a key that is written as this one of `other`; false where the object ends first.
    private mutating func passMembers(before wanted: Range<Int>, of other: JSONKeyGlance) -> Bool {
        while true {
            _ = skip(UInt8(ascii: ","))
            guard let key = key() else { return false }
            if key.count == wanted.count, bytes[key].elementsEqual(other.bytes[wanted]) { return true }
            passValue()
        }
    }

    private mutating func passValue() {
        skipBlanks()
        guard position < bytes.count else { return }
        switch bytes[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            position += 1
            passObject()
        case UInt8(ascii: "\""):
            passString()
        default:
            while position < bytes.count, !Self.endsWord(bytes[position]) { position += 1 }
        }
    }

    /// Steps behind the end of the object, or array, that is open.
    private mutating func passObject() {
        var depth = 1
        while depth > 0, position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                passString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
        }
    }

    private mutating func passString() {
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { break }
        }
        position = min(position, bytes.count)
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || JSONScanner.isBlank(byte)
    }
}
