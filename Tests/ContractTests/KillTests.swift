import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G5, G6: processes that are killed at any moment, a thousand times.
@Suite(.fewAtOnce, .serialized)
struct KillTests {
    /// The value as the probe writes it.
    struct Tally: Codable, Sendable {
        var counts: [Int]
        var filler: String

        var sum: Int { counts.reduce(0, +) }
        var isWhole: Bool { filler == String(repeating: "abcdefghij", count: 20 + sum % 200) + "\(sum)" }
    }

    /// What one worker is known to have counted: at least what was acknowledged, at most what it had begun.
    struct Account {
        private(set) var acknowledged = 0
        private(set) var started = 0
        private(set) var kills = 0

        /// Takes in what a worker printed before it was killed; false if the value that it found was not what it must
        /// be.
        mutating func add(_ output: String) -> Bool {
            kills += 1
            // A line that was cut off does not count: what comes after the line had not begun either.
            for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                switch line.first {
                case "b":
                    guard let found = Int(line.dropFirst()), acknowledged...started ~= found else { return false }
                    (acknowledged, started) = (found, found)
                case "s": started += 1
                case "a": acknowledged += 1
                default: return false
                }
            }
            return true
        }
    }

    private static let workers = 6
    private static let kills = 90

    /// Acknowledged ≤ value ≤ started, for each worker and after each of its lives; no read is torn or goes back.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_G6_aThousandKillsLoseAndTearNothing(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let isOver = Guarded(false)
        let container = try GroupContainer(directory: folder.path("c"))
        let none = Tally(counts: [Int](repeating: 0, count: Self.workers), filler: "abcdefghij")
        let observer = try GroupFile("n", in: container, initialValue: none, access: .readOnly)
        let told = Log<Tally>()
        let subscription = observer.sink { told.append($0) }
        defer { subscription.cancel() }

        let ended = Log<(worker: Int, account: Account)>()
        for worker in 0..<Self.workers {
            let thread = Thread { ended.append((worker, Self.killAgainAndAgain(worker, folder))) }
            thread.start()
        }
        let reads = Log<Int>()
        let reader = Thread { reads.append(Self.read(folder) { isOver.withLock { $0 } }) }
        reader.start()
        #expect(await ended.reach { $0.count == Self.workers })
        isOver.withLock { $0 = true }
        #expect(await reads.first { $0 > 100 } != nil)
        let accounts = ended.elements

        let file = try GroupFile("n", in: container, initialValue: none, lockTimeout: .seconds(120))
        let left = try await file.read()
        #expect(left.isWhole)
        for (worker, account) in accounts {
            let range = account.acknowledged...account.started
            #expect(range.contains(left.counts[worker]), "worker \(worker): \(left.counts[worker]) is not in \(range)")
        }
        #expect(accounts.reduce(0) { $0 + $1.account.kills } == Self.workers * Self.kills)
        // The lock is free, and the next writer removes what the last one left.
        try await file.write(Tally(counts: left.counts, filler: "last"))
        #expect(try folder.names(in: "c") == [".groupfile", "n"])
        #expect(Set(try folder.names(in: "c/.groupfile")).isSubset(of: ["n.lock", "n.turn"]))
        #expect(await told.first { $0.filler == "last" } != nil)
        let sums = told.elements.map(\.sum)
        #expect(zip(sums, sums.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(told.elements.allSatisfy { $0.isWhole || $0.filler == "last" || $0.sum == 0 })
    }

    /// A worker that begins anew each time it was killed, at any moment of its life.
    private static func killAgainAndAgain(_ worker: Int, _ folder: TemporaryDirectory) -> Account {
        let durability = worker == 0 ? Durability.consistent : .relaxed
        let arguments = ["tally", folder.path("c"), "n", "\(worker)", "\(workers)", durability.rawValue]
        var account = Account()
        var random = SeededGenerator.ofThisRun(worker)
        for _ in 0..<kills {
            let before = account
            do {
                let output = try liveAndDie(arguments, &random)
                if !account.add(output) { Issue.record("worker \(worker): \(before), then \(output)") }
            } catch {
                Issue.record(error)
            }
        }
        return account
    }

    /// Starts a probe and kills it: one in eight before it has begun to print, the others some time after. Returns what
    /// it printed.
    ///
    /// Does not use `Program`, which has three threads for each process.
    private static func liveAndDie(_ arguments: [String], _ random: inout SeededGenerator) throws -> String {
        var pipe = try PipeEnds()
        let child = try ChildProcess.spawn(
            [Program.path(ofProduct: "probe")] + arguments, input: try FileDescriptor.open("/dev/null", .readOnly),
            output: pipe.writingEnd, environment: [("SWIFT_BACKTRACE", "enable=no")], leadsGroup: false)
        pipe.closeWriting()
        var output: [UInt8] = []
        var moment: Moment?
        if Int.random(in: 0..<8, using: &random) == 0 {
            moment = Moment.now + .microseconds(.random(in: 0...20_000, using: &random))
        }
        while true {
            var entries = [Poll.Entry(pipe.reading.rawValue, .readable)]
            let limit = moment ?? Moment.now + .testDeadline
            guard try Poll.wait(&entries, until: limit) else { break }
            let bytes = try pipe.read()
            if bytes.isEmpty { break }
            output += bytes
            if moment == nil { moment = Moment.now + .microseconds(.random(in: 0...12_000, using: &random)) }
        }
        try child.send(.kill)
        while true {
            let bytes = try pipe.read()
            if bytes.isEmpty { break }
            output += bytes
        }
        let ending = try child.wait()
        if ending != .signalled(.kill) { Issue.record("it ended by itself: \(ending)") }
        return String(decoding: output, as: UTF8.self)
    }

    /// Reads the bare file, like a program that knows nothing of the library. Returns how often.
    private static func read(_ folder: TemporaryDirectory, until isOver: () -> Bool) -> Int {
        var reads = 0
        var last = 0
        while !isOver() {
            // The processors are for the processes that are killed.
            SystemCalls.Thread.sleep(for: .milliseconds(1))
            do {
                if let sum = try check(read(folder), after: last) {
                    last = sum
                    reads += 1
                } else if reads > 0 {
                    Issue.record("it was missing")
                }
            } catch {
                Issue.record(error)
            }
        }
        return reads
    }

    private static func check(_ tally: Tally?, after last: Int) -> Int? {
        guard let tally else { return nil }
        if !tally.isWhole && tally.sum > 0 { Issue.record("torn: \(tally)") }
        if tally.sum < last { Issue.record("\(tally.sum) after \(last)") }
        return tally.sum
    }

    /// Nil if nobody has made the file yet.
    private static func read(_ folder: TemporaryDirectory) throws -> Tally? {
        guard let bytes = try bytes(of: folder.path("c/n")) else { return nil }
        return try JSONDecoder().decode(Tally.self, from: Data(bytes))
    }

    private static func bytes(of path: String) throws(Errno) -> [UInt8]? {
        do throws(Errno) {
            return try FileDescriptor.open(path, .readOnly).readToEnd(expected: 4096, limit: 1 << 20)
        } catch .noEntry {
            return nil
        }
    }
}
