/// Finds the known word that the user may have meant.
enum Spelling {
    /// The nearest of `known`, if it is near enough.
    static func nearest(to word: String, among known: [String], within most: Int? = nil) -> String? {
        let most = most ?? max(2, word.count / 3)
        if most == 0 { return nil }
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = candidate.hasPrefix(word) ? 0 : distance(Array(word), Array(candidate))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= most else { return nil }
        return best.word
    }

    /// How many letters to insert, remove, replace, or swap with their neighbour (optimal string alignment).
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
