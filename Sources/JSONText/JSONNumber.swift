/// A JSON number that keeps its digits: `1.0`, `1E5` and numbers that no `Double` holds come out as they went in.
///
/// Compared by decimal value, exactly and whatever the size of the exponent: `1 == 1.0 == 10e-1`, `-0 == 0`.
package struct JSONNumber: Sendable {
    /// The number as written.
    package let text: String

    /// The number in `text`; nil if that is not exactly one JSON number.
    package init?(_ text: String) {
        var scanner = JSONScanner(Array(text.utf8))
        do {
            self.text = try scanner.number()
        } catch {
            return nil
        }
        if scanner.next != nil { return nil }
    }

    package init(_ integer: some BinaryInteger) {
        text = integer.description
    }

    /// The number of a text that has already been scanned.
    init(scanned text: String) {
        self.text = text
    }
}

extension JSONNumber: Comparable {
    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.text == right.text || NormalizedDecimal(left) == NormalizedDecimal(right)
    }

    package static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        NormalizedDecimal(left) < NormalizedDecimal(right)
    }
}
