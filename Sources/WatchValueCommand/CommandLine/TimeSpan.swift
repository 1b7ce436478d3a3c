/// A time as people write it on a command line: `500ms`, `1.5s`, `2m`, `1h`, `1d`; a bare number counts seconds.
enum TimeSpan {
    /// What is accepted, for help and errors.
    static let forms = "500ms, 1.5s, 2m, 1h, 1d; 5 is 5s"

    /// A suffix that ends in another one comes before it.
    private static let units: [(suffix: String, nanoseconds: Double)] = [
        ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9), ("", 1e9),
    ]

    static func parse(_ text: String) throws(Failure) -> Duration {
        if let unit = units.first(where: { text.hasSuffix($0.suffix) }),
            let number = number(text.dropLast(unit.suffix.count))
        {
            // Longer than any process lives: as good as for ever.
            return .nanoseconds(Int64(min(number * unit.nanoseconds, 1e18)))
        }
        throw Failure(.usage, "\"\(text)\" is not a time; write one of \(forms)", about: Option.timeout.flag)
    }

    /// Digits, and maybe a point and more digits: no exponent, nor any other form that `Double` accepts. A number that
    /// is too large is infinite.
    private static func number(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        return areDigits ? Double(text) : nil
    }

    /// A time that was parsed, with its unit, which is `s` if it has none.
    static func withUnit(_ text: String) -> String {
        text.last?.isNumber == true ? text + "s" : text
    }
}
