/// The rows of `list --live`, cut to the terminal's width; without a terminal only values are cut, at 2 KiB. Pure.
struct LiveTable {
    struct Row: Sendable {
        let name: String
        let value: Cell
        /// Nil where the file is gone; negative where its time is still to come.
        let age: Duration?
        let size: Int
    }

    /// What the value's column shows, measured once, so that a long value does not slow down each frame.
    struct Cell: Sendable {
        let text: String
        /// In columns.
        let width: Int
        let isBad: Bool

        init(_ text: String, isBad: Bool) {
            self.text = text
            width = DisplayWidth.of(text)
            self.isBad = isBad
        }
    }

    /// Without a terminal, a value that is longer than this does not make the column wider for the others.
    private static let widestPadding = 80

    let title: String
    let rows: [Row]

    /// The rows for which there is room. If there is not enough room for all, the last line says how many are missing.
    private func shown(_ size: (columns: Int, rows: Int)?) -> ArraySlice<Row> {
        let room = size.map { max(1, $0.rows - 2) } ?? .max
        return rows.count > room ? rows.prefix(room - 1) : rows[...]
    }

    func lines(_ size: (columns: Int, rows: Int)?, _ style: Style) -> [String] {
        let longest = max(4, rows.map { DisplayWidth.of($0.name) }.max() ?? 0)
        let widest = max(5, rows.map(\.value.width).max() ?? 0)
        let widths: (name: Int, value: Int)
        if let columns = size?.columns {
            let name = min(longest, max(4, columns / 3))
            widths = (name, max(1, min(widest, columns - name - 14)))
        } else {
            widths = (longest, min(widest, Self.widestPadding))
        }
        let isCut = size != nil
        func line(_ name: String, _ value: Cell, _ age: String, _ size: String) -> String {
            let value = DisplayWidth.fitted(value.text, of: value.width, widths.value, isCut: isCut)
            return "\(DisplayWidth.fitted(name, widths.name)) \(value) \(Self.right(age, 5)) \(Self.right(size, 6))"
        }
        func cut(_ text: String) -> String {
            guard let columns = size?.columns, DisplayWidth.of(text) > columns else { return text }
            return DisplayWidth.fitted(text, columns)
        }
        var lines = [
            style.paint(cut(title), .dim),
            style.paint(cut(line("NAME", Cell("VALUE", isBad: false), "AGE", "SIZE")), .bold),
        ]
        let shown = shown(size)
        for row in shown {
            let text = cut(line(row.name, row.value, row.age.map(Self.text) ?? "-", Self.text(row.size)))
            lines.append(row.value.isBad ? style.paint(text, .red) : text)
        }
        if shown.count < rows.count { lines.append(cut("… and \(rows.count - shown.count) more")) }
        if rows.isEmpty { lines.append(cut("(no values yet)")) }
        return lines
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
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

    /// How long it takes until the text of an age that is shown changes; nil if there are no ages.
    func nextChange(_ size: (columns: Int, rows: Int)?) -> Duration? {
        shown(size).compactMap(\.age).map { age in
            let seconds = max(0, age.components.seconds)
            let unit = Self.ages.first { seconds >= $0.seconds }?.seconds ?? 1
            return .seconds((seconds / unit + 1) * unit) - age
        }.min()
    }
}
