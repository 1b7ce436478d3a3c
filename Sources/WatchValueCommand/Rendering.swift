import JSONText

/// How values are printed.
struct Rendering: Sendable {
    let isRaw: Bool
    let printer: JSONPrinter

    init(_ arguments: Arguments) {
        isRaw = arguments.has(.raw)
        printer = JSONPrinter(layout: arguments.has(.pretty) ? .pretty : .compact)
    }

    /// With a final newline.
    func line(_ value: JSONValue) -> [UInt8] {
        if isRaw, case .string(let string) = value { return Array(string.utf8) + [UInt8(ascii: "\n")] }
        return printer.bytes(of: value) + [UInt8(ascii: "\n")]
    }
}
