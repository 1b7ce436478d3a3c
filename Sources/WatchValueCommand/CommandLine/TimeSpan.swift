/// A time as people write it on a command line: `500ms`, `5s`, `2m`, `1.5h`; a bare number counts seconds.
enum TimeSpan {
    private static let units: [(suffix: String, nanoseconds: Double)] = [
        ("ms", 1e6), ("us", 1e3), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9), ("", 1e9),
    ]

    static func parse(_ text: String) throws(Failure) -> Duration {
        for unit in units where text.hasSuffix(unit.suffix) {
            let digits = text.dropLast(unit.suffix.count)
            // Not hexadecimal, which Double reads, too: the d at the end of 0x1d would be days.
            guard let first = digits.first, let last = digits.last, first.isNumber, last.isNumber,
                !digits.contains(where: { "xX".contains($0) }), let number = Double(digits), number.isFinite
            else { break }
            // Longer than a process lives is for ever.
            return .nanoseconds(Int64(min(number * unit.nanoseconds, 1e18)))
        }
        throw Failure(.usage, "\"\(text)\" is not a time; write 500ms, 5s or 2m", about: Option.timeout.flag)
    }
}
