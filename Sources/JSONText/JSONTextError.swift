/// Why a text is not JSON, and where.
package struct JSONTextError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where the text stops being JSON.
    let place: SourcePlace
    /// One sentence: what was expected, and what was found.
    package let message: String

    /// The line, from 1.
    package var line: Int { place.line }
    /// The column, from 1, in Unicode scalars.
    package var column: Int { place.column }
    /// The offset in bytes, from 0.
    var byteOffset: Int { place.byteOffset }

    /// `line:column: message`.
    package var description: String { "\(place): \(message)" }
}
