/// Writes a second of one writer that does nothing else, while one viewer of the same kind looks on.
enum WriteRows {
    static var all: [Measurement] { [row(.disk, target: "≥ 2.5"), row(.memory, target: "≥ 0.8")] }

    private static func row(_ place: Place, target: String) -> Measurement {
        Measurement(Row("relaxed writes, \(place.name)", "a second", target: target)) { workshop in
            let floor = try Exchange(
                workshop, place, .floorViewer, workshop.floor.viewer("quiet"),
                writing: workshop.floor.writing(beside: .relaxed))
            let ours = try Exchange(workshop, place, .viewer, "quiet", writing: .relaxed)
            let effort = workshop.effort
            return [
                try Figures.paired(
                    effort.longPairs, floor: { try floor.burst(seconds: effort.seconds) },
                    ours: { try ours.burst(seconds: effort.seconds) })
            ]
        }
    }
}
