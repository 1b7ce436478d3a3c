import SystemCalls

/// Locked updates a second, of one process and of eight, and whether each of the eight gets its turn.
enum UpdateRows {
    static var all: [Measurement] { Place.allCases.flatMap { [alone($0), together($0)] } }

    private static func alone(_ place: Place) -> Measurement {
        Measurement(Row("updates, \(place.name)", "a second", target: "≥ 0.8")) { workshop in
            let contest = Contest(workshop: workshop, place: place, processes: 1)
            return [
                try Figures.paired(
                    workshop.effort.longPairs, floor: { try contest.counts(.floorUpdater).reduce(0, +) },
                    ours: { try contest.counts(.updater).reduce(0, +) })
            ]
        }
    }

    private static func together(_ place: Place) -> Measurement {
        Measurement(
            Row("updates of 8 processes, \(place.name)", "a second, all", target: "≥ 0.8"),
            Row("fairness of 8 processes, \(place.name)", "slowest / fastest", target: "≥ 0.5 of ours")
        ) { workshop in
            let contest = Contest(workshop: workshop, place: place, processes: Effort.updaters)
            var shares: (floor: [Double], ours: [Double]) = ([], [])
            func fairness(_ counts: [Double]) -> Double { (counts.min() ?? 0) / max(1, counts.max() ?? 0) }
            let rates = try Figures.paired(workshop.effort.longPairs) {
                let counts = try contest.counts(.floorUpdater)
                shares.floor.append(fairness(counts))
                return counts.reduce(0, +)
            } ours: {
                let counts = try contest.counts(.updater)
                shares.ours.append(fairness(counts))
                return counts.reduce(0, +)
            }
            var fairness = Figures(shares.ours)
            fairness.floor = Spread(shares.floor)
            return [rates, fairness]
        }
    }
}

/// Processes that add to one number under its lock.
private struct Contest {
    let workshop: Workshop
    let place: Place
    let processes: Int

    /// How many updates each process made in a second; none may be lost.
    func counts(_ role: Role) throws -> [Double] {
        let seconds = workshop.effort.seconds
        let folder = try workshop.folder(place)
        let path = try folder.value(Updater.name)
        let start = try StartSignal()
        let children = try (0..<processes).map { _ in
            try workshop.child(
                role, [folder.path, "\(seconds)"] + (role == .floorUpdater ? [workshop.floor.updater] : []),
                input: start)
        }
        for child in children { _ = try child.line() }
        start.give()
        let counts = try children.map { child in
            let line = try child.line(within: Interrupts.patience + .seconds(seconds))
            try child.waitForSuccess()
            guard let count = Int(line) else { throw Failure(description: "no number: \(line)") }
            return count
        }
        let total = counts.reduce(0, +)
        let text = String(
            decoding: try FileDescriptor.open(path, .readOnly).readToEnd(expected: 0, limit: 4096), as: UTF8.self)
        guard text.contains("\"counter\":\(total),") else {
            throw Failure(description: "\(total) updates succeeded, but the file says \(text)")
        }
        return counts.map { Double($0) / seconds }
    }
}
