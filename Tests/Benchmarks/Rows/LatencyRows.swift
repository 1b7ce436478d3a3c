/// The time from before a write until the value is in hand, at 200 writes a second: medians of blocks.
enum LatencyRows {
    static var all: [Measurement] {
        [
            row("sink", .disk, "sink", .rename, target: "≤ 1.20"),
            row("sink", .memory, "sink", .rename, target: "≤ 1.35"),
            row("values", .disk, "values", .rename, target: "≤ 1.6"),
            row("values", .memory, "values", .rename, target: "≤ 1.9"),
            row("relaxed write and sink", .disk, "sink", .relaxed, target: "≤ 0.75"),
            row("relaxed write and sink", .memory, "sink", .relaxed, target: nil),
            row("consistent write and sink", .disk, "sink", .consistent, target: "≤ 1.10"),
        ]
    }

    private static func row(
        _ name: String, _ place: Place, _ kind: String, _ writing: Exchange.Writing, target: String?
    ) -> Measurement {
        Measurement(Row("\(name), \(place.name)", "µs, p50", target: target)) { workshop in
            let floor = try Exchange(
                workshop, place, .floorViewer, workshop.floor.viewer(writing.way == "consistent" ? "moved" : "both"),
                writing: workshop.floor.writing(beside: writing))
            let ours = try Exchange(workshop, place, .viewer, kind, writing: writing)
            func block(_ exchange: Exchange) throws -> Double {
                try exchange.latencies(workshop.effort.writes, rate: Effort.rate).median
            }
            return [
                try Figures.paired(workshop.effort.pairs, floor: { try block(floor) }, ours: { try block(ours) })
            ]
        }
    }
}
