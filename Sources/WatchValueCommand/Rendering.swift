import JSONText

/// How values are printed.
struct Rendering: Sendable {
    private let isRaw: Bool
    private let printer: JSONPrinter

    init(_ arguments: Arguments) {
        isRaw = arguments.has(.raw)
        printer = JSONPrinter(layout: arguments.has(.pretty) ? .pretty : .compact)
    }

    /// With a final newline.
    func line(_ value: JSONValue) -> [UInt8] {
        if isRaw, case .string(let string) = value { return Array(string.utf8) + [UInt8(ascii: "\n")] }
        return printer.bytes(of: value) + [UInt8(ascii: "\n")]
    }

    /// Prints the same, piece by piece, so that a closed pipe ends it early, and a long value takes no memory.
    func print(_ value: JSONValue) throws(Failure) {
        if isRaw, case .string = value { return try Output.write(line(value)) }
        var last: [UInt8] = []
        for piece in printer.pieces(of: value) {
            try Output.write(last)
            last = piece
        }
        try Output.write(last + [UInt8(ascii: "\n")])
    }
}
