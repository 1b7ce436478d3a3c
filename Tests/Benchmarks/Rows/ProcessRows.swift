/// What a process that only uses `sink` costs, after it was told some values.
enum ProcessRows {
    static var all: [Measurement] {
        [
            Measurement(
                Row("process with a sink: threads, with the main one", "count", target: "≤ 2"),
                Row("process with a sink: private dirty memory", "MB", target: "≤ 1.2 MB")
            ) { workshop in
                let exchange = try Exchange(workshop, .disk, .viewer, "sink", writing: .rename)
                let viewer = exchange.viewers[0]
                defer { viewer.end() }
                _ = try exchange.block(workshop.effort.writes, rate: Effort.rate)
                // A thread that has nothing more to do ends after half a second.
                try workshop.interrupts.sleep(.seconds(1))
                return [
                    Figures([Double(try viewer.status.threads().count)]),
                    Figures([Double(try viewer.status.privateDirty()) / 1e6]),
                ]
            }
        ]
    }
}
