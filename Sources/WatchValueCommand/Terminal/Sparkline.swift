/// A history of numbers as a row of bars.
struct Sparkline: Sendable {
    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let most = 1000

    private var history: [Double] = []

    mutating func append(_ number: Double) {
        history.append(number)
        if history.count > Self.most { history.removeFirst(history.count - Self.most) }
    }

    /// The newest numbers that fit; the lowest of them has the lowest bar, the highest the highest.
    func text(width: Int) -> String {
        let shown = history.suffix(max(1, width))
        guard let lowest = shown.min(), let highest = shown.max() else { return "" }
        // Halves, so that not even the widest span is infinite.
        let span = highest / 2 - lowest / 2
        return String(
            shown.map { number in
                if span == 0 { return Self.bars[3] }
                let part = (number / 2 - lowest / 2) / span
                return Self.bars[min(Self.bars.count - 1, Int(part * Double(Self.bars.count)))]
            })
    }
}
