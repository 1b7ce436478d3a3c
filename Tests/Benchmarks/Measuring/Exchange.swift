/// One file, viewers of the file that live as long as this object, and writers that come and go.
///
/// 1. The viewers are *started*; each has printed the first value before anything is written.
/// 2. A *block* is one writer that writes so many values and ends. Nobody reads meanwhile what the viewers print.
/// 3. Then each viewer's lines are *read*, up to the last value, which must arrive.
final class Exchange {
    /// A line of a viewer: `counter received sent`, or two other times.
    struct Line {
        let counter: Int64
        let first: Int64
        let second: Int64

        init(_ text: String) throws {
            let words = text.split(separator: " ").map { Int64($0) }
            guard words.count >= 3, let counter = words[0], let first = words[1], let second = words[2] else {
                throw Failure(description: "cannot read the line: \(text)")
            }
            self.counter = counter
            self.first = first
            self.second = second
        }
    }

    /// Who writes: the role, and its operand after the target, the rate, the number and the first counter.
    struct Writing {
        let role: Role
        let way: String

        static let rename = Writing(role: .floorWriter, way: "rename")
        static let fsync = Writing(role: .floorWriter, way: "fsync")
        static let guarded = Writing(role: .floorWriter, way: "guarded")
        static let guardedFsync = Writing(role: .floorWriter, way: "guarded-fsync")
        static let relaxed = Writing(role: .writer, way: "relaxed")
        static let consistent = Writing(role: .writer, way: "consistent")
    }

    let viewers: [Child]
    private let workshop: Workshop
    private let target: String
    private let writing: Writing
    private var written: Int64 = 0

    /// - Parameters:
    ///   - viewer: a role that takes the target, and then its other operands.
    ///   - viewers: how many.
    init(
        _ workshop: Workshop, _ place: Place, _ viewer: Role, _ words: String..., writing: Writing, viewers: Int = 1
    ) throws {
        self.workshop = workshop
        self.writing = writing
        let target = try workshop.folder(place).value("value.json")
        self.target = target
        self.viewers = try (0..<viewers).map { _ in try workshop.child(viewer, [target] + words) }
        for child in self.viewers { _ = try child.line() }
    }

    /// Uses a viewer that is running already and has printed all its first values.
    init(_ workshop: Workshop, viewer: Child, target: String, writing: Writing) {
        self.workshop = workshop
        self.writing = writing
        self.target = target
        viewers = [viewer]
    }

    /// What each viewer printed about these writes.
    func block(_ count: Int, rate: Int) throws -> [[Line]] {
        let first = written + 1
        written += Int64(count)
        let writer = try workshop.child(writing.role, [target, "\(rate)", "\(count)", "\(first)", writing.way])
        _ = try writer.output(within: Interrupts.patience + .seconds(rate > 0 ? count / rate : 0))
        return try viewers.map { viewer in
            var lines: [Line] = []
            repeat { lines.append(try Line(viewer.line())) } while lines.last?.counter ?? 0 < written
            return lines
        }
    }

    /// Microseconds from before a write until the value is in hand, in the slowest viewer, for each write that all
    /// viewers saw.
    func latencies(_ count: Int, rate: Int) throws -> [Double] {
        var latencies: [Int64: (slowest: Int64, viewers: Int)] = [:]
        for line in try block(count, rate: rate).joined() {
            let known = latencies[line.counter] ?? (0, 0)
            latencies[line.counter] = (max(known.slowest, line.first - line.second), known.viewers + 1)
        }
        return latencies.values.filter { $0.viewers == viewers.count }.map { Double($0.slowest) / 1000 }
    }

    /// Writes per second of a writer that does nothing else.
    func burst(seconds: Double) throws -> Double {
        let first = written + 1
        written += 1_000_000
        let writer = try workshop.child(
            writing.role, [target, "0", "1000000", "\(first)", writing.way],
            environment: [("BENCH_MAXSEC", "\(seconds)")])
        let output = try writer.output(within: Interrupts.patience + .seconds(seconds))
        for viewer in viewers { try viewer.checkIsAlive() }
        let lines = output.split(separator: UInt8(ascii: "\n"))
        guard let firstLine = lines.first, let lastLine = lines.last else {
            throw Failure(description: "\(writing.role.rawValue) wrote nothing in \(seconds) s")
        }
        let start = try Line(String(decoding: firstLine, as: UTF8.self)).first
        let end = try Line(String(decoding: lastLine, as: UTF8.self)).second
        return Double(lines.count) * 1e9 / Double(end - start)
    }
}
