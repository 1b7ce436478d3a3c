import FoundationEssentials

/// The results, as a table or as JSON.
struct Report {
    private struct Entry: Encodable {
        let row: Row
        let outcome: Outcome

        private enum Key: CodingKey {
            case name, unit, target, ours, floor, ratio, unavailable, failed
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(row.name, forKey: .name)
            try container.encode(row.unit, forKey: .unit)
            try container.encodeIfPresent(row.target, forKey: .target)
            switch outcome {
            case .figures(let figures):
                try container.encode(figures.ours, forKey: .ours)
                try container.encodeIfPresent(figures.floor, forKey: .floor)
                try container.encodeIfPresent(figures.ratio, forKey: .ratio)
            case .unavailable(let reason): try container.encode(reason, forKey: .unavailable)
            case .failed(let reason): try container.encode(reason, forKey: .failed)
            }
        }
    }

    private struct Document: Encodable {
        let build: String
        let isQuick: Bool
        let isGuarded: Bool
        let places: [String: String]
        let rows: [Entry]
    }

    private let isQuick: Bool
    private let floor: FloorKind
    private var entries: [Entry] = []

    init(isQuick: Bool, floor: FloorKind) {
        self.isQuick = isQuick
        self.floor = floor
    }

    /// Targets are set for the plain floor only.
    mutating func add(_ row: Row, _ outcome: Outcome) {
        let row = floor == .plain ? row : Row(row.name, row.unit)
        entries.append(Entry(row: row, outcome: outcome))
    }

    var hasFailure: Bool {
        entries.contains { if case .failed = $0.outcome { true } else { false } }
    }

    func json() throws -> String {
        let places = Dictionary(
            Place.allCases.map { ($0.path, $0.fileSystem ?? "unknown") }, uniquingKeysWith: { first, _ in first })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
        let document = Document(
            build: Build.configuration, isQuick: isQuick, isGuarded: floor == .guarded, places: places, rows: entries)
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    func table() -> String {
        let places = Place.allCases.map { "\($0.path) is \($0.fileSystem ?? "unknown")" }.joined(separator: ", ")
        let kind = floor == .guarded ? "; the floor makes the library's system calls" : ""
        let title = "\(Build.configuration) build; \(places)\(kind)\(isQuick ? "; quick: the figures say nothing" : "")"
        var lines = [["", "unit", "ours", "floor", "ratio", "target"]]
        for entry in entries {
            let row = entry.row
            switch entry.outcome {
            case .figures(let figures):
                lines.append([
                    row.name, row.unit, Self.text(figures.ours), Self.text(figures.floor), Self.text(figures.ratio),
                    row.target ?? "",
                ])
            case .unavailable(let reason): lines.append([row.name, row.unit, "cannot be had: \(reason)"])
            case .failed(let reason): lines.append([row.name, row.unit, "FAILED: \(reason)"])
            }
        }
        let widths = (0..<6).map { column in
            // A reason takes the place of all columns after the unit.
            lines.filter { $0.count == 6 || column < 2 }.map { $0[column].count }.max() ?? 0
        }
        let rows = lines.map { cells in
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
            let line = padded.joined(separator: "  ")
            return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
        }
        return ([title + "; medians, in brackets the quartiles", ""] + rows).joined(separator: "\n")
    }

    private static func text(_ spread: Spread?) -> String {
        guard let spread else { return "–" }
        if spread.blocks == 1 { return text(spread.median) }
        return "\(text(spread.median)) (\(text(spread.lowerQuartile))–\(text(spread.upperQuartile)))"
    }

    /// Three digits, or more if there are more before the point.
    private static func text(_ number: Double) -> String {
        if !number.isFinite { return "\(number)" }
        let places = number.magnitude >= 100 ? 0 : number.magnitude >= 10 ? 1 : 2
        var scaled = "\(Int((number.magnitude * [1, 10, 100][places]).rounded()))"
        if places > 0 {
            scaled = String(repeating: "0", count: max(0, places + 1 - scaled.count)) + scaled
            scaled.insert(".", at: scaled.index(scaled.endIndex, offsetBy: -places))
        }
        return (number < 0 ? "-" : "") + scaled
    }
}
