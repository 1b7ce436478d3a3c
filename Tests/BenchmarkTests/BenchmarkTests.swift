import Foundation
import TestSupport
import Testing

/// The benchmarks run. What they measure is not for a test to judge.
@Suite struct BenchmarkTests {
    private struct Report: Decodable {
        struct Spread: Decodable {
            let median: Double
            let lowerQuartile: Double
            let upperQuartile: Double
            let blocks: Int
        }

        struct Row: Decodable {
            let name: String
            let unit: String
            let ours: Spread?
            let floor: Spread?
            let ratio: Spread?
            let unavailable: String?
            let failed: String?
        }

        let isQuick: Bool
        let isGuarded: Bool
        let rows: [Row]
    }

    private func run(_ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(.product("benchmarks"), arguments)
    }

    @Test(arguments: [
        ("sink, tmpfs", false), ("values, tmpfs", false), ("relaxed writes, tmpfs", false),
        ("8 processes, tmpfs", false), ("watch-value", false), ("a sink: ", false),
        ("write and sink", true), ("relaxed writes, tmpfs", true), ("8 processes, tmpfs", true),
    ])
    func eachRowHasFiguresOrAReason(row: String, isGuarded: Bool) async throws {
        let outcome = try await Program.run(
            .product("benchmarks"), ["--quick", "--json", "--only", row] + (isGuarded ? ["--guarded"] : []))
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(report.isQuick)
        #expect(report.isGuarded == isGuarded)
        #expect(!report.rows.isEmpty)
        for row in report.rows {
            #expect(row.failed == nil, "\(row.name): \(row.failed ?? "")")
            if let reason = row.unavailable {
                print("\(row.name): \(reason)")
                continue
            }
            #expect(!row.unit.isEmpty)
            let ours = try #require(row.ours, "\(row.name)")
            for spread in [ours, row.floor, row.ratio].compactMap(\.self) {
                #expect(spread.blocks > 0, "\(row.name)")
                #expect(spread.median > 0, "\(row.name)")
                #expect(spread.lowerQuartile <= spread.median && spread.median <= spread.upperQuartile, "\(row.name)")
            }
        }
    }

    @Test func theTableNamesWhatWasAskedFor() async throws {
        let outcome = try await run("--quick", "--only", "values, tmpfs")
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3, "a title, a head and a row: \(outcome.output)")
        #expect(lines.last?.contains("≤ 1.9") == true)
    }

    @Test func theHeadStandsOverItsColumnsWhereNoRowHasFigures() async throws {
        let outcome = try await Program.run(
            .product("benchmarks"), ["--quick", "--only", "updates, disk"], environment: ["TMPDIR": "/dev/shm"])
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        try #require(lines.count == 3, "a title, a head and a row: \(outcome.output)")
        #expect(lines[2].contains("cannot be had: /dev/shm is in memory"))
        func column(of text: String, in line: Substring) -> Int? {
            line.firstRange(of: text).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
        }
        let unit = try #require(column(of: "a second", in: lines[2]))
        #expect(column(of: "unit", in: lines[1]) == unit, "\(outcome.output)")
    }

    @Test(arguments: [
        (["--slow"], "there is no option --slow"), (["onlooker"], "there is no role onlooker"),
        (["--only"], "--only wants a word"), (["--only", "no such row"], "no row's name has that in it"),
        (["viewer"], "viewer wants TARGET"), (["viewer", "value"], "TARGET of viewer is no absolute path: value"),
        (["viewer", "/"], "TARGET of viewer is no absolute path: /"),
        (["viewer", "/nowhere/value", "ear"], "is one of sink, values"),
        (["writer", "value", "1", "1", "1"], "TARGET of writer is no absolute path: value"),
        (["writer", "/nowhere/value", "fast", "1", "1"], "RATE of writer is no number: fast"),
        (["writer", "/nowhere/value", "nan", "1", "1"], "RATE of writer is not between 0.0 and"),
        (["writer", "/nowhere/value", "-1", "1", "1"], "RATE of writer is not between 0.0 and"),
        (["writer", "/nowhere/value", "1e-300", "2", "1"], "RATE of writer is neither 0 nor 0.001 at least"),
        (["writer", "/nowhere/value", "0", "-1", "1"], "COUNT of writer is not between 0 and"),
        (["writer", "/nowhere/value", "0", "2", "9223372036854775807"], "FIRST of writer leaves no counters"),
        (["floor-writer", "/nowhere/value", "0", "2", "9223372036854775807"], "FIRST of floor-writer leaves no"),
        (["audience", "/nowhere/value", "-1"], "COUNT of audience is not between 1 and"),
        (["audience", "/nowhere/value", "2", "2"], "BLOCKED of audience is not between 0 and 1"),
    ])
    func wrongWordsAreRefused(words: [String], message: String) async throws {
        let outcome = try await Program.run(.product("benchmarks"), words)
        #expect(outcome.exit == .code(64))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func helpIsGiven() async throws {
        let outcome = try await run("--help")
        #expect(outcome.exit == .code(0))
        #expect(outcome.output.hasPrefix("usage: benchmarks"))
    }

    @Test func anInterruptedRunLeavesNothing() async throws {
        @Sendable func folders(of program: Program) throws -> [String] {
            let start = "group-files-benchmark-\(program.processIdentifier)-"
            return try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter { $0.hasPrefix(start) }
        }
        // On a thread that does nothing else: on a busy machine, a task may get to look only when the run, a minute or
        // so, is over.
        let program = try await blocking {
            let program = try Program(.product("benchmarks"), ["--only", "tmpfs"])
            while try folders(of: program).isEmpty, !program.output.isFinished { Thread.sleep(forTimeInterval: 0.001) }
            program.signal(SIGTERM)
            return program
        }
        #expect(try await program.exit() == .code(128 + SIGTERM))
        #expect(try folders(of: program).isEmpty)
    }

    @Test(arguments: [("rename", false), ("fsync", false), ("guarded", true), ("guarded-fsync", true)])
    func theGuardedFloorTakesTheLock(way: String, isGuarded: Bool) async throws {
        let folder = try TemporaryDirectory()
        try folder.write(#"{"counter":0,"sent":0,"note":"lamp"}"#, to: "value")
        let writer = try await run("floor-writer", folder.path("value"), "0", "3", "1", way)
        #expect(writer.exit == .code(0), "\(writer.errors)")
        #expect(try folder.read("value").hasPrefix(#"{"counter":3,"#))
        let control = folder.path(".groupfile")
        #expect(FileManager.default.fileExists(atPath: control) == isGuarded)
        if isGuarded { #expect(try FileManager.default.contentsOfDirectory(atPath: control) == ["value.lock"]) }
    }

    /// Harnesses elsewhere rely on what the two roles take and print.
    @Test(arguments: ["sink", "values"])
    func rolesKeepTheirProtocol(kind: String) async throws {
        let folder = try TemporaryDirectory()
        try folder.write(#"{"counter":0,"sent":0,"note":"lamp"}"#, to: "value.json")
        let target = folder.path("value.json")
        let viewer = try Program(.product("benchmarks"), ["viewer", target, kind])
        let first = try await viewer.line("0 ").split(separator: " ")
        #expect(first.count == 3 && first[2] == "0")

        let writer = try await run("writer", target, "200", "3", "7")
        #expect(writer.exit == .code(0), "\(writer.errors)")
        let written = writer.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int64($0) } }
        #expect(written.map(\.first) == [7, 8, 9])
        let seen = try await viewer.line("9 ").split(separator: " ").compactMap { Int64($0) }
        let last = try #require(written.last)
        try #require(last.count == 3 && seen.count == 3)
        #expect(seen[2] == last[1], "when it was sent")
        #expect(last[1] < seen[1] && last[1] < last[2])
        // One line a value, at most: what was replaced meanwhile need not be seen.
        let counters = viewer.output.elements.compactMap { $0.split(separator: " ").first.flatMap { Int64($0) } }
        #expect(counters.count == viewer.output.elements.count)
        #expect(counters.first == 0 && zip(counters, counters.dropFirst()).allSatisfy { $0 < $1 }, "\(counters)")
    }

    /// The largest counter can be written, too.
    @Test func aSeriesMayEndWithTheLastCounter() async throws {
        let folder = try TemporaryDirectory()
        let writer = try await run("writer", folder.path("value"), "0", "2", "\(Int64.max - 1)")
        #expect(writer.exit == .code(0), "\(writer.errors)")
        #expect(
            writer.output.split(separator: "\n").compactMap { $0.split(separator: " ").first.flatMap { Int64($0) } }
                == [.max - 1, .max])
    }

    /// A burst ends however many values are left; a writer that has a pace keeps it.
    @Test func aBurstEndsWithItsTime() async throws {
        let folder = try TemporaryDirectory(on: .memory)
        func counters(_ rate: String, _ count: String) async throws -> [Int64] {
            let writer = try await Program.run(
                .product("benchmarks"), ["writer", folder.path("value"), rate, count, "5", "relaxed"],
                environment: ["BENCH_MAXSEC": "0.05"])
            #expect(writer.exit == .code(0), "\(writer.errors)")
            return writer.output.split(separator: "\n")
                .compactMap { $0.split(separator: " ").first.flatMap { Int64($0) } }
        }
        let written = try await counters("0", "1000000000000")
        #expect(written == Array(5..<5 + Int64(written.count)))
        #expect(try folder.read("value").contains("\"counter\":\(written.last ?? 0),"))
        #expect(try await counters("20", "4") == [5, 6, 7, 8])
    }
}
