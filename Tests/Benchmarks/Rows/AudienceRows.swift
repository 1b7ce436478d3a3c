/// One value and many subscribers in one process: the time from the first subscriber that is told to the last.
enum AudienceRows {
    static var all: [Measurement] {
        [
            measurement("last of 1,000 subscribers after the first", "ms, p99", target: "≤ 2 ms", blocked: 0),
            measurement("last of 1,000 where the first one blocks", "ms, p50", target: "≤ 10 ms", blocked: 1),
        ]
    }

    private static func measurement(_ name: String, _ unit: String, target: String, blocked: Int) -> Measurement {
        Measurement(Row(name, unit, target: target)) { workshop in
            let effort = workshop.effort
            let exchange = try Exchange(
                workshop, .disk, .audience, "\(effort.subscribers)", "\(blocked)", writing: .rename)
            let blocks = try (0..<effort.longPairs).map { _ in
                try exchange.block(effort.viewerWrites, rate: Effort.viewersRate).joined()
                    .map { Double($0.second - $0.first) / 1e6 }.quantile(blocked == 0 ? 0.99 : 0.5)
            }
            return [Figures(blocks)]
        }
    }
}
