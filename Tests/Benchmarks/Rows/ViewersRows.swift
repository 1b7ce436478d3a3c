/// One value and many viewers: how late the slowest one is.
enum ViewersRows {
    static var all: [Measurement] { Place.allCases.map(row) }

    private static func row(_ place: Place) -> Measurement {
        Measurement(Row("slowest of 50 viewers, \(place.name)", "µs, p99", target: "≤ 1.3")) { workshop in
            let effort = workshop.effort
            let floor = try Exchange(
                workshop, place, .floorViewer, workshop.floor.viewer("moved"), writing: .rename, viewers: effort.viewers
            )
            let ours = try Exchange(workshop, place, .viewer, "sink", writing: .rename, viewers: effort.viewers)
            func block(_ exchange: Exchange) throws -> Double {
                try exchange.latencies(effort.viewerWrites, rate: Effort.viewersRate).quantile(0.99)
            }
            return [try Figures.paired(effort.longPairs, floor: { try block(floor) }, ours: { try block(ours) })]
        }
    }
}
