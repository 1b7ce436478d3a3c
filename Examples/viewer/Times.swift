/// The newest times from write to view.
struct Times {
    private static let limit = 600
    private var newest: [Duration] = []

    mutating func add(_ time: Duration) {
        if newest.count == Self.limit { newest.removeFirst() }
        newest.append(time)
    }

    /// The last time, the median and the worst; nil if there is none.
    var summary: String? {
        let sorted = newest.sorted()
        guard let last = newest.last, let worst = sorted.last else { return nil }
        return "\(Text.milliseconds(last)) (p50 \(Text.milliseconds(sorted[sorted.count / 2])), "
            + "worst \(Text.milliseconds(worst)) of \(sorted.count))"
    }
}
