/// The text of a JSON value, piece by piece, so that it is never in memory as a whole: indented, a small but deep text
/// becomes hundreds of times as long.
package struct JSONPieces: Sequence, IteratorProtocol {
    /// A piece is longer than this only if it ends with something that is not divided, such as a string.
    private static let size = 64 << 10

    private let printer: JSONPrinter
    /// The containers that are still open. A list, not recursion: a deep tree would exhaust a small stack.
    private var open: [OpenContainer] = []
    /// The piece that is being built.
    private var output: [UInt8] = []
    /// How many bytes may still follow; negative once more than allowed have.
    private var limit: Int

    init(_ value: JSONValue, _ printer: JSONPrinter) {
        self.printer = printer
        limit = printer.limit
        begin(value)
    }

    package mutating func next() -> [UInt8]? {
        while output.count < Swift.min(limit, Self.size), var container = open.popLast() {
            let isFirst = container.printed == 0
            guard let item = container.next() else {
                newline()
                output.append(container.closing)
                continue
            }
            open.append(container)
            if !isFirst { output.append(UInt8(ascii: ",")) }
            newline()
            if let key = item.key {
                append(key)
                output.append(UInt8(ascii: ":"))
                if printer.layout == .pretty { output.append(UInt8(ascii: " ")) }
            }
            begin(item.value)
        }
        if output.isEmpty { return nil }
        limit -= output.count
        return exchange(&output, with: [])
    }

    /// A container whose end has not been printed yet.
    private struct OpenContainer {
        var elements: [JSONValue] = []
        var members: [JSONObject.Member] = []
        let closing: UInt8
        var printed = 0

        mutating func next() -> (key: String?, value: JSONValue)? {
            defer { printed += 1 }
            if printed < elements.count { return (nil, elements[printed]) }
            return printed < members.count ? (members[printed].key, members[printed].value) : nil
        }
    }

    /// Prints a whole value, or only the opening bracket of a container that is not empty.
    private mutating func begin(_ value: JSONValue) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let bool): output.append(contentsOf: (bool ? "true" : "false").utf8)
        case .number(let number): output.append(contentsOf: number.text.utf8.prefix(limit))
        case .string(let string): append(string)
        case .array([]): output.append(contentsOf: "[]".utf8)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            open.append(OpenContainer(elements: elements, closing: UInt8(ascii: "]")))
        case .object(let object) where object.members.isEmpty: output.append(contentsOf: "{}".utf8)
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            let members = printer.sortsKeys ? object.sortedMembers : object.members
            open.append(OpenContainer(members: members, closing: UInt8(ascii: "}")))
        }
    }

    private mutating func newline() {
        guard printer.layout == .pretty else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * open.count))
    }

    private mutating func append(_ string: String) {
        output.append(UInt8(ascii: "\""))
        var bytes = string.utf8.makeIterator()
        while output.count < limit, let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0x08: output.append(contentsOf: "\\b".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0C: output.append(contentsOf: "\\f".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0..<0x20, 0x7F: appendEscaped(byte)
            case 0xC2:
                // U+0080…U+00BF; the second byte is the scalar's number.
                guard let second = bytes.next() else { continue }
                if second < 0xA0 {
                    appendEscaped(second)
                } else {
                    output.append(byte)
                    output.append(second)
                }
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ scalar: UInt8) {
        let digits = String(scalar, radix: 16)
        output.append(contentsOf: (digits.count == 1 ? "\\u000" : "\\u00").utf8)
        output.append(contentsOf: digits.utf8)
    }
}
