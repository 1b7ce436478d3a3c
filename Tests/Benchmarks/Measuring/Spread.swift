/// The figures of several blocks, condensed: half of the figures lie between the quartiles.
struct Spread: Encodable {
    let median: Double
    let lowerQuartile: Double
    let upperQuartile: Double
    /// How many blocks there were.
    let blocks: Int

    init(_ values: [Double]) {
        median = values.quantile(0.5)
        lowerQuartile = values.quantile(0.25)
        upperQuartile = values.quantile(0.75)
        blocks = values.count
    }
}

extension [Double] {
    /// The value below which this part of the elements lies, interpolated.
    func quantile(_ part: Double) -> Double {
        if isEmpty { return .nan }
        let sorted = sorted()
        let place = part * Double(count - 1)
        let below = Int(place)
        let above = Swift.min(below + 1, count - 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }

    var median: Double { quantile(0.5) }
}
