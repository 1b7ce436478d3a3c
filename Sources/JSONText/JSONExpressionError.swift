/// Why a path or a predicate cannot be parsed, and where.
package struct JSONExpressionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The column in the expression, from 1, in Unicode scalars.
    let column: Int
    /// One sentence: what was found, what was expected, and how to write it.
    let message: String

    init(_ message: String, at scanner: JSONScanner) {
        column = 1 + SourcePlace.scalarCount(scanner.bytes[..<scanner.position])
        self.message = message
    }

    /// `column N: message`.
    package var description: String { "column \(column): \(message)" }
}
