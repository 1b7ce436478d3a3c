/// What observers were told while several writers wrote, and what is wrong with it. Pure.
struct History {
    /// Which writer wrote the value, and which of that writer's values it is, counted from 1. The value that was there
    /// before has writer 0.
    struct Stamp: Hashable, Comparable, CustomStringConvertible {
        let writer: Int
        let count: Int

        var description: String { "\(writer):\(count)" }

        static func < (a: Stamp, b: Stamp) -> Bool { (a.writer, a.count) < (b.writer, b.count) }
    }

    enum Violation: Hashable {
        case equalInARow(observer: Int, Stamp)
        /// Something older followed something newer of the same writer.
        case outOfOrder(observer: Int, Stamp, after: Stamp)
        /// Nobody wrote it.
        case invented(observer: Int, Stamp)
        case finalMissed(observer: Int)
        /// No single order of all values agrees with what every observer was told.
        case contradiction(among: Int)
    }

    /// What each observer was told, in that order.
    var observations: [[Stamp]]
    /// How many values each writer wrote.
    var written: [Int: Int]
    /// The value that was written last of all.
    var final: Stamp

    var violations: [Violation] {
        var found: [Violation] = []
        for (observer, stamps) in observations.enumerated() {
            var newest: [Int: Stamp] = [:]
            for (index, stamp) in stamps.enumerated() {
                if index > 0, stamps[index - 1] == stamp {
                    found.append(.equalInARow(observer: observer, stamp))
                } else if let known = newest[stamp.writer], stamp <= known {
                    found.append(.outOfOrder(observer: observer, stamp, after: known))
                }
                newest[stamp.writer] = max(newest[stamp.writer] ?? stamp, stamp)
                let first = stamp.writer == 0 ? 0 : 1
                if stamp.count < first || stamp.count > written[stamp.writer] ?? 0 {
                    found.append(.invented(observer: observer, stamp))
                }
            }
            if stamps.last != final { found.append(.finalMissed(observer: observer)) }
        }
        let unordered = Self.countOfUnordered(observations)
        if unordered > 0 { found.append(.contradiction(among: unordered)) }
        return found
    }

    /// Sorts all stamps so that each observation, and each writer's numbers, are in order. Returns the number of stamps
    /// for which that is impossible.
    private static func countOfUnordered(_ observations: [[Stamp]]) -> Int {
        var next: [Stamp: [Stamp]] = [:]
        var waitsFor: [Stamp: Int] = [:]
        func order(_ a: Stamp, _ b: Stamp) {
            if a == b { return }
            next[a, default: []].append(b)
            waitsFor[b, default: 0] += 1
        }
        for stamps in observations {
            for stamp in stamps { waitsFor[stamp] = waitsFor[stamp] ?? 0 }
            for (a, b) in zip(stamps, stamps.dropFirst()) { order(a, b) }
        }
        let sorted = waitsFor.keys.sorted()
        for (a, b) in zip(sorted, sorted.dropFirst()) where a.writer == b.writer { order(a, b) }

        var free = waitsFor.filter { $0.value == 0 }.map(\.key)
        var ordered = 0
        while let stamp = free.popLast() {
            ordered += 1
            for other in next[stamp] ?? [] {
                guard let count = waitsFor[other] else { continue }
                waitsFor[other] = count - 1
                if count == 1 { free.append(other) }
            }
        }
        return waitsFor.count - ordered
    }
}
