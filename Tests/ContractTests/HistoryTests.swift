import Foundation
import SystemCalls
import TestSupport
import Testing

/// G3 and G4, judged by the records of processes that knew nothing of each other.
@Suite(.fewAtOnce)
struct HistoryTests {
    typealias Stamp = History.Stamp

    // MARK: The judge

    private static let good = History(
        observations: [
            [
                Stamp(writer: 0, count: 0), Stamp(writer: 1, count: 1), Stamp(writer: 2, count: 2),
                Stamp(writer: 1, count: 3),
            ],
            [
                Stamp(writer: 0, count: 0), Stamp(writer: 2, count: 1), Stamp(writer: 2, count: 2),
                Stamp(writer: 1, count: 3),
            ],
            [Stamp(writer: 1, count: 3)],
        ], written: [1: 3, 2: 2], final: Stamp(writer: 1, count: 3))

    @Test func theJudgeAcceptsWhatIsRight() {
        #expect(Self.good.violations == [])
    }

    @Test func theJudgeSeesWhatIsEqualInARow() {
        var bad = Self.good
        bad.observations[0].insert(Stamp(writer: 1, count: 1), at: 1)
        #expect(bad.violations.contains(.equalInARow(observer: 0, Stamp(writer: 1, count: 1))))
    }

    @Test func theJudgeSeesWhatWentBack() {
        var bad = Self.good
        bad.observations[1].swapAt(1, 2)
        let (one, two) = (Stamp(writer: 2, count: 1), Stamp(writer: 2, count: 2))
        #expect(bad.violations.contains(.outOfOrder(observer: 1, one, after: two)))
        // The value from before the first write comes back.
        bad = Self.good
        bad.observations[0].insert(Stamp(writer: 0, count: 0), at: 2)
        #expect(!bad.violations.isEmpty)
    }

    @Test func theJudgeSeesWhatNobodyWrote() {
        for stamp in [Stamp(writer: 2, count: 3), Stamp(writer: 3, count: 1), Stamp(writer: 1, count: 0)] {
            var bad = Self.good
            bad.observations[2].insert(stamp, at: 0)
            #expect(bad.violations.contains(.invented(observer: 2, stamp)))
        }
    }

    @Test func theJudgeSeesThatTheLastOneIsMissing() {
        for left in [1, 0] {
            var bad = Self.good
            bad.observations[1] = Array(bad.observations[1].prefix(left))
            #expect(bad.violations == [.finalMissed(observer: 1)])
        }
    }

    /// Each observer's own order is fine; the two together are not.
    @Test func theJudgeSeesThatObserversDisagree() {
        var bad = Self.good
        bad.observations[0] = [Stamp(writer: 1, count: 1), Stamp(writer: 2, count: 1), Stamp(writer: 1, count: 3)]
        bad.observations[1] = [Stamp(writer: 2, count: 1), Stamp(writer: 1, count: 1), Stamp(writer: 1, count: 3)]
        #expect(bad.violations.count == 1)
        // The judge also finds a contradiction between stamps that do not follow each other directly: the second
        // observer saw 2:2 before 1:1, so 2:1 came before 1:1, too.
        bad.observations[0] = [Stamp(writer: 1, count: 1), Stamp(writer: 2, count: 1), Stamp(writer: 1, count: 3)]
        bad.observations[1] = [Stamp(writer: 2, count: 2), Stamp(writer: 1, count: 1), Stamp(writer: 1, count: 3)]
        #expect(bad.violations.count == 1)
    }

    // MARK: What happened

    /// How long the writers write in each of the two runs on a file system. `GROUP_FILES_HISTORY_SECONDS` makes it
    /// longer.
    private static var duration: Duration {
        .seconds(ProcessInfo.processInfo.environment["GROUP_FILES_HISTORY_SECONDS"].flatMap(Double.init) ?? 3)
    }

    enum Writing: String, CaseIterable, Sendable {
        case update, write
    }

    /// Four writers and four observers. Two of the observers are stopped again and again, a third one while its queue
    /// overflows. All see one order, nobody sees the same value twice in a row, and everybody has the last value in the
    /// end.
    @Test(.serialized, arguments: TemporaryDirectory.Place.allCases, Writing.allCases)
    func G3_G4_fourObserversOfFourWritersAgree(place: TemporaryDirectory.Place, writing: Writing) async throws {
        let folder = try TemporaryDirectory(on: place)
        try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
        try folder.write(#"{"count":0,"serial":0,"writer":0}"#, to: "c/v")
        let observers = try (0..<4).map { _ in try Program(.product("probe"), ["stamps", folder.path("c"), "v"]) }
        for observer in observers { try await observer.line("0 0 0") }
        let end = Moment.now + Self.duration
        let writers = try (1...4).map {
            try Program(
                .product("probe"), ["stamp", folder.path("c"), "v", "\($0)", writing.rawValue, "\(end.nanoseconds)"])
        }
        try await overflow(observers[2], folder)
        var random = SeededGenerator.ofThisRun()
        while Moment.now < end {
            let observer = observers[Int.random(in: 0..<2, using: &random)]
            observer.signal(SIGSTOP)
            try await Task.sleep(for: .milliseconds(.random(in: 1...150, using: &random)))
            observer.signal(SIGCONT)
            try await Task.sleep(for: .milliseconds(.random(in: 1...50, using: &random)))
        }
        var written = [0: 0, 9: 1]
        for (index, writer) in writers.enumerated() {
            let line = try await writer.line(within: .testDeadline, "an end") { !$0.isEmpty }
            let count: Int? = line.hasPrefix("last ") ? Int(line.dropFirst("last ".count)) : nil
            let last = try #require(count, "\(writer.output.elements)")
            written[index + 1] = last
        }
        // Each writer has written something, however slow the machine is, or a sanitizer makes it.
        #expect((1...4).allSatisfy { written[$0] ?? 0 > 0 })
        try folder.write(#"{"count":1,"serial":\#(Int.max),"writer":9}"#, to: "n")
        _ = try await Program.run(.command("mv"), ["n", "c/v"], directory: folder.path)
        for observer in observers { try await observer.line("9 1") }

        let told = observers.map { $0.output.elements.map { $0.split(separator: " ").compactMap { Int($0) } } }
        let history = History(
            observations: told.map { $0.map { Stamp(writer: $0[0], count: $0[1]) } }, written: written,
            final: Stamp(writer: 9, count: 1))
        let violations = history.violations
        #expect(violations.isEmpty, "\(violations.prefix(10))")
        if writing == .update {
            for serials in told.map({ $0.map { $0[2] } }) {
                #expect(zip(serials, serials.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }

    /// Stops the observer until the directory has had more events than the observer's queue holds. The events are of
    /// two names in turn, so that none merge.
    private func overflow(_ observer: Program, _ folder: TemporaryDirectory) async throws {
        observer.signal(SIGSTOP)
        try await blocking {
            let directory = try Directory(path: folder.path("c"))
            for index in 0..<20_000 {
                _ = try directory.open("other\(index % 2)", [.writeOnly, .create], permissions: 0o600)
            }
        }
        observer.signal(SIGCONT)
    }
}
