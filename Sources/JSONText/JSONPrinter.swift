/// Prints JSON values as jq does, but numbers as they were written.
///
/// Strings are escaped where they must be: `"`, `\` and control characters; DEL and U+0080…U+009F, too, some of which begin
/// a command to a terminal. All else comes out as it is.
package struct JSONPrinter: Sendable {
    package enum Layout: Sendable {
        /// One line without spaces.
        case compact
        /// A line for each element and member, indented by two spaces a level.
        case pretty
    }

    package var layout: Layout
    /// Whether keys come by their Unicode scalars instead of in the order of the text.
    package var sortsKeys: Bool
    /// After so many bytes it stops, or a few more: for who shows only the beginning, which then takes no longer for a
    /// large value.
    package var limit: Int

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
        var output: [UInt8] = []
        var open: [OpenContainer] = []
        begin(value, into: &output, open: &open)
        // A list of what is open instead of recursion, which deep trees would make exhaust a small stack.
        while output.count < limit, var container = open.popLast() {
            let isFirst = container.printed == 0
            guard let item = container.next() else {
                newline(depth: open.count, into: &output)
                output.append(container.closing)
                continue
            }
            open.append(container)
            if !isFirst { output.append(UInt8(ascii: ",")) }
            newline(depth: open.count, into: &output)
            if let key = item.key {
                append(key, to: &output)
                output.append(UInt8(ascii: ":"))
                if layout == .pretty { output.append(UInt8(ascii: " ")) }
            }
            begin(item.value, into: &output, open: &open)
        }
        return output
    }

    /// A container of which some elements or members have been printed.
    private struct OpenContainer {
        var elements: [JSONValue] = []
        var members: [JSONObject.Member] = []
        var closing: UInt8
        var printed = 0

        mutating func next() -> (key: String?, value: JSONValue)? {
            defer { printed += 1 }
            if printed < elements.count { return (nil, elements[printed]) }
            return printed < members.count ? (members[printed].key, members[printed].value) : nil
        }
    }

    /// Prints a value whole, or only the opening of a container that is not empty.
    private func begin(_ value: JSONValue, into output: inout [UInt8], open: inout [OpenContainer]) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let bool): output.append(contentsOf: (bool ? "true" : "false").utf8)
        case .number(let number): output.append(contentsOf: number.text.utf8.prefix(limit))
        case .string(let string): append(string, to: &output)
        case .array([]): output.append(contentsOf: "[]".utf8)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            open.append(OpenContainer(elements: elements, closing: UInt8(ascii: "]")))
        case .object(let object) where object.members.isEmpty: output.append(contentsOf: "{}".utf8)
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            let members = sortsKeys ? object.sortedMembers : object.members
            open.append(OpenContainer(members: members, closing: UInt8(ascii: "}")))
        }
    }

    private func newline(depth: Int, into output: inout [UInt8]) {
        guard layout == .pretty else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private func append(_ string: String, to output: inout [UInt8]) {
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
            case 0..<0x20, 0x7F: appendEscaped(byte, to: &output)
            case 0xC2:
                // U+0080…U+00BF; the second byte is the scalar's number.
                guard let second = bytes.next() else { continue }
                if second < 0xA0 {
                    appendEscaped(second, to: &output)
                } else {
                    output.append(byte)
                    output.append(second)
                }
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private func appendEscaped(_ scalar: UInt8, to output: inout [UInt8]) {
        let digits = String(scalar, radix: 16)
        output.append(contentsOf: (digits.count == 1 ? "\\u000" : "\\u00").utf8)
        output.append(contentsOf: digits.utf8)
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    package var description: String { JSONPrinter().text(of: self) }
}
