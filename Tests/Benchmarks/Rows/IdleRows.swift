/// A process in which nothing happens, after everything has come to rest, and before the heartbeat of half a minute.
enum IdleRows {
    static var all: [Measurement] {
        [
            Measurement(
                Row("idle with 1,000 files and sinks, 20 s: wake-ups", "count", target: "0"),
                Row("idle with 1,000 files and sinks, 20 s: processor time", "ms")
            ) { workshop in
                let count = workshop.effort.idleFiles
                let folder = try workshop.folder(.disk)
                for index in 0..<count { _ = try folder.value(Collection.name(index)) }
                let child = try workshop.child(.collection, [folder.path, "\(count)"])
                defer { child.end() }
                _ = try child.line(within: .seconds(120))
                try workshop.interrupts.sleep(.seconds(2))
                let switches = try child.status.voluntarySwitches()
                let time = try child.status.processorTime()
                try workshop.interrupts.sleep(.seconds(workshop.effort.idleSeconds))
                return [
                    Figures([Double(try child.status.voluntarySwitches() - switches)]),
                    Figures([Double(try child.status.processorTime() - time) / 1e6]),
                ]
            }
        ]
    }
}
