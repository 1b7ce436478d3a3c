/// One process that has many files of one container open, each with a sink.
enum CollectionRows {
    static var all: [Measurement] {
        [
            Measurement(
                Row("10,000 files: open all, and be told each", "ms", target: "≤ 1 s"),
                Row("10,000 files: memory of each, beyond value and bytes", "bytes", target: "≤ 2 KiB"),
                Row("10,000 files: memory of its sink", "bytes"),
                Row("10,000 files: one changes, floor is one file alone", "µs, p50", target: "≤ 1.3")
            ) { workshop in
                let count = workshop.effort.files
                let folder = try workshop.folder(.disk)
                for index in 0..<count { _ = try folder.value(Collection.name(index)) }
                var opened: [Double] = []
                var memory: (file: [Double], sink: [Double]) = ([], [])
                var last: Child?
                for _ in 0..<min(3, workshop.effort.longPairs) {
                    last?.end()
                    let child = try workshop.child(.collection, [folder.path, "\(count)"])
                    let words = try child.line(within: .seconds(120)).split(separator: " ").compactMap { Double($0) }
                    guard words.count == 3 else { throw Failure(description: "collection told something else") }
                    opened.append(words[0] / 1e6)
                    memory.file.append(words[1] - Double(MemoryLayout<Sample>.size + Sample.initialText.utf8.count))
                    memory.sink.append(words[2])
                    last = child
                }
                guard let last else { return [] }
                let latency = try latency(workshop, of: last, in: folder)
                return [Figures(opened), Figures(memory.file), Figures(memory.sink), latency]
            }
        ]
    }

    private static func latency(_ workshop: Workshop, of child: Child, in folder: Folder) throws -> Figures {
        let effort = workshop.effort
        let target = folder.path + "/" + Collection.name(effort.files - 1)
        let many = Exchange(workshop, viewer: child, target: target, writing: .rename)
        let one = try Exchange(workshop, .disk, .viewer, "sink", writing: .rename)
        return try Figures.paired(
            effort.pairs, floor: { try one.latencies(effort.writes, rate: Effort.rate).median },
            ours: { try many.latencies(effort.writes, rate: Effort.rate).median })
    }
}
