/// Which known word somebody may have meant.
enum Spelling {
    /// The nearest of `known`, if it is near at all.
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

    /// Levenshtein's: how many letters must be inserted, removed or exchanged.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let changed = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(changed, diagonal + 1, row[j] + 1)
            }
        }
        return row[b.count]
    }
}
