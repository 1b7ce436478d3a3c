/// One value and many subscribers in one process: from the first that is told to the last.
enum AudienceRows {
    static var all: [Measurement] {
        [
            Measurement(Row("last of 1,000 subscribers after the first", "ms, p99", target: "≤ 2 ms")) { workshop in
                let effort = workshop.effort
                let exchange = try Exchange(
                    workshop, .disk, .audience, "\(effort.subscribers)", writing: .rename)
                let blocks = try (0..<effort.longPairs).map { _ in
                    try exchange.block(effort.viewerWrites, rate: Effort.viewersRate).joined()
                        .map { Double($0.second - $0.first) / 1e6 }.quantile(0.99)
                }
                return [Figures(blocks)]
            }
        ]
    }
}
