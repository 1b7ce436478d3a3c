import Foundation
import TestSupport
import Testing

/// That the benchmarks run. What they measure is no test's business.
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
        let outcome = try await run("--quick", "--only", "a sink: threads")
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3, "a title, a head and a row: \(outcome.output)")
        #expect(lines.last?.contains("≤ 2") == true)
    }

    @Test(arguments: [
        (["--slow"], "there is no option --slow"), (["onlooker"], "there is no role onlooker"),
        (["--only"], "--only wants a word"), (["--only", "no such row"], "no row's name has that in it"),
        (["viewer"], "viewer wants TARGET"), (["viewer", "/nowhere/value", "ear"], "is one of sink, values"),
        (["writer", "/nowhere/value", "fast", "1", "1"], "RATE of writer is no number: fast"),
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
        // By a thread that does nothing else: on a busy machine a task may come to look when the run, a minute or so, is over.
        let program = try await blocking {
            let program = try Program(.product("benchmarks"), ["--only", "tmpfs"])
            while try folders(of: program).isEmpty, !program.output.isFinished {}
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
    }
}
