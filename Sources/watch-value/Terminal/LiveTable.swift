/// The rows of `list --live`, cut to a width. Pure.
struct LiveTable {
    struct Row: Sendable {
        var name: String
        var value: String
        var isBad: Bool
        /// Nil where the file is gone.
        var age: Duration?
        var size: Int
    }

    let title: String
    let rows: [Row]

    func lines(_ size: (columns: Int, rows: Int)?, _ style: Style) -> [String] {
        let columns = size?.columns ?? .max
        let room = size.map { max(1, $0.rows - 2) } ?? .max
        let longest = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
        let nameWidth = min(max(4, longest), max(4, columns / 3))
        let widest = rows.map { DisplayWidth.of($0.value) }.max() ?? 0
        let valueWidth = max(1, min(max(5, widest), columns == .max ? .max : columns - nameWidth - 14))
        var lines = [
            style.paint(cut(title, columns), .dim),
            style.paint(cut(line("NAME", "VALUE", "AGE", "SIZE", nameWidth, valueWidth), columns), .bold),
        ]
        let shown = rows.count > room ? rows.prefix(max(0, room - 1)) : rows[...]
        for row in shown {
            let age = row.age.map(Self.text) ?? "-"
            let text = cut(line(row.name, row.value, age, Self.text(row.size), nameWidth, valueWidth), columns)
            lines.append(row.isBad ? style.paint(text, .red) : text)
        }
        if shown.count < rows.count { lines.append(cut("… and \(rows.count - shown.count) more", columns)) }
        if rows.isEmpty { lines.append(cut("(no values yet)", columns)) }
        return lines
    }

    private func line(
        _ name: String, _ value: String, _ age: String, _ size: String, _ nameWidth: Int, _ valueWidth: Int
    ) -> String {
        let right = String(repeating: " ", count: max(0, 5 - age.count)) + age
        let last = String(repeating: " ", count: max(0, 6 - size.count)) + size
        return "\(DisplayWidth.fitted(name, nameWidth)) \(DisplayWidth.fitted(value, valueWidth)) \(right) \(last)"
    }

    private func cut(_ text: String, _ columns: Int) -> String {
        DisplayWidth.of(text) > columns ? DisplayWidth.fitted(text, columns) : text
    }

    private static let ages: [(suffix: String, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]

    private static func text(_ age: Duration) -> String {
        let seconds = max(0, age.components.seconds)
        let unit = ages.first { seconds >= $0.seconds } ?? ("s", 1)
        return "\(seconds / unit.seconds)\(unit.suffix)"
    }

    private static func text(_ bytes: Int) -> String {
        if bytes < 10_000 { return "\(bytes)" }
        return bytes < 10 << 20 ? "\(bytes >> 10)K" : "\(bytes >> 20)M"
    }

    /// When the next age reads otherwise; nil where there is none.
    var nextChange: Duration? {
        rows.compactMap(\.age).map { age in
            let seconds = age.components.seconds
            let unit = Self.ages.first { seconds >= $0.seconds }?.seconds ?? 1
            return .seconds((seconds / unit + 1) * unit) - age
        }.min()
    }
}
