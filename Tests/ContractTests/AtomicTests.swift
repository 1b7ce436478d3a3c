import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

@Suite(.fewAtOnce, .serialized)
struct AtomicTests {
    /// G1: a reader of the bare file that knows nothing of the library sees one published value, never less and never
    /// none.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G1_everyReadSeesExactlyOneValue(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let size = 50_000
        let first = try Program(.product("probe"), ["blobs", folder.path("c"), "v", "1", "\(size)"])
        try await first.line("done")
        let writers = try (0..<2).map { _ in
            try Program(.product("probe"), ["blobs", folder.path("c"), "v", "300", "\(size)"])
        }
        let reads = try await blocking {
            let directory = try Directory(path: folder.path("c"))
            var reads = 0
            while writers.contains(where: { $0.output.elements.isEmpty && !$0.output.isFinished }) {
                let file = try directory.open("v", .readOnly)
                let bytes = try file.readToEnd(expected: size + 1, limit: 1 << 20)
                #expect(bytes.count == size + 1)
                #expect(bytes.dropLast().allSatisfy { $0 == bytes[0] })
                reads += 1
                if reads > 1_000_000 { break }
            }
            return reads
        }
        for writer in writers { try await writer.line("done") }
        #expect(reads > 10)
    }

    /// Writes `parts` in place with a moment between them, like a foreign program that computes them. Returns true if
    /// no pause was so long that the writer could be taken to be done.
    private func writeInPlace(_ parts: [String], _ path: String) async throws -> Bool {
        var longest = Duration.zero
        // Taken before the file is emptied: whatever holds this process up from then on is a pause.
        var last = ContinuousClock.now
        let file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate], permissions: 0o600)
        for part in parts {
            try await Task.sleep(for: .milliseconds(3))
            let begun = ContinuousClock.now
            try file.writeAll(Array(part.utf8))
            // It is not known when, within that call, the part was written.
            longest = max(longest, ContinuousClock.now - last)
            last = begun
        }
        longest = max(longest, ContinuousClock.now - last)
        return longest < .milliseconds(45)
    }

    /// G2: what an in-place writer has written so far is never reported, though every part of it would decode.
    ///
    /// The watcher is a process of its own: in this process other tests may make the queue overflow at any time, and
    /// what is then read anew may be half written.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G2_aWriterAtWorkIsWaitedFor(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
        try folder.write("old", to: "c/v")
        let watcher = try Program(.product("probe"), ["text", folder.path("c"), "v"])
        try await watcher.line("text old")
        var steady = 0
        for round in 1...300 where steady < (round < 40 ? 10 : 3) {
            let parts = (1...10).map { "\(round).\($0) " }
            let before = watcher.output.elements.count
            let isSteady = try await writeInPlace(parts, folder.path("c/v"))
            try await watcher.line("text \(parts.joined())")
            // On a machine so busy that the writer paused for 50 ms, this round proves nothing.
            if !isSteady { continue }
            steady += 1
            #expect(watcher.output.elements.dropFirst(before) == ["text \(parts.joined())"], "round \(round)")
        }
        if steady < 3 { BusyMachine.provesNothing("300 rounds") }
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G2_aNewFileIsNotReadWhileItIsMade(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
        var steady = 0
        for round in 0..<300 where steady < (round < 40 ? 10 : 3) {
            let watcher = try Program(.product("probe"), ["text", folder.path("c"), "v\(round)"])
            try await watcher.line("text ")
            let isSteady = try await writeInPlace(["half", "half"], folder.path("c/v\(round)"))
            try await watcher.line("text halfhalf")
            if !isSteady { continue }
            steady += 1
            #expect(watcher.output.elements == ["text ", "text halfhalf"])
        }
        if steady < 3 { BusyMachine.provesNothing("300 rounds") }
    }

    /// G2 holds for a file by its path as in a container: that a name is new does not mean that its file is finished.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G2_aFileByItsPathIsNotReadWhileItIsMadeAnew(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try folder.write("old", to: "v")
        let watcher = try Program(.product("probe"), ["text", folder.path("v")])
        try await watcher.line("text old")
        var steady = 0
        for round in 0..<300 where steady < (round < 40 ? 10 : 3) {
            let before = watcher.output.elements.count
            try FileManager.default.removeItem(atPath: folder.path("v"))
            let isSteady = try await writeInPlace(["\(round).", "half"], folder.path("v"))
            try await watcher.line("text \(round).half")
            if !isSteady { continue }
            steady += 1
            // The file may have been missing for 50 ms before the writer began.
            let told = watcher.output.elements.dropFirst(before).filter { $0 != "text none" }
            #expect(told == ["text \(round).half"])
        }
        if steady < 3 { BusyMachine.provesNothing("300 rounds") }
    }

    /// G2: a file that is made anew at the very moment at which it begins to count as missing still belongs to its
    /// writer.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G2_aFileMadeAnewAsItBeginsToCountAsMissingIsNotReadHalfWritten(
        place: TemporaryDirectory.Place
    ) async throws {
        let folder = try TemporaryDirectory(on: place)
        try folder.write("old", to: "v")
        let watcher = try Program(.product("probe"), ["text", folder.path("v")])
        try await watcher.line("text old")
        var steady = 0
        var random = SeededGenerator.ofThisRun()
        for round in 0..<300 where steady < (round < 60 ? 25 : 3) {
            let delay = Duration.microseconds(.random(in: 49_900...50_500, using: &random))
            let isSteady = try await blocking {
                try FileManager.default.removeItem(atPath: folder.path("v"))
                let removed = ContinuousClock.now
                let begins = removed + delay
                while ContinuousClock.now < begins {}
                let writer = try FileDescriptor.open(
                    folder.path("v"), [.writeOnly, .create, .truncate], permissions: 0o600)
                try writer.writeAll(Array("\(round).".utf8))
                let goesOn = ContinuousClock.now + .milliseconds(10)
                while ContinuousClock.now < goesOn {}
                try writer.writeAll(Array("whole".utf8))
                return ContinuousClock.now - removed < .milliseconds(80)
            }
            try await watcher.line("text \(round).whole")
            if !isSteady { continue }
            steady += 1
            #expect(!watcher.output.elements.contains("text \(round)."))
        }
        if steady < 3 { BusyMachine.provesNothing("300 rounds") }
    }

    /// G2: content that does not decode is a failure once nothing has happened for 50 ms, and not before.
    @Test func G2_badContentIsReportedAfterTheSettleTime() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        let failures = Log<(GroupFileError, Moment)>()
        let task = Task {
            for await failure in file.failures { failures.append((failure, .now)) }
        }
        defer { task.cancel() }
        // Writes in place, and more than what is there: at no moment is the file empty, however long this process is
        // held up.
        func overwrite(_ text: String) throws {
            try FileDescriptor.open(folder.path("c/v"), .writeOnly).writeAll(Array(text.utf8))
        }
        let start = Moment.now
        try overwrite("{\"a\": [1, 2, x]}")
        let (failure, moment) = try #require(await failures.first { _ in true })
        #expect(moment - start >= .milliseconds(50))
        #expect(failure.code == .undecodable)
        #expect(failure.line == 1 && failure.column == 14, "\(failure)")
        #expect(file.value == 1)
        #expect(file.status == .invalid(failure))
        await #expect(throws: GroupFileError.self) { try await file.read() }
        // Each distinct content is reported once.
        try overwrite("{\"a\": [1, 2, x]}")
        try overwrite("it is still bad, and longer")
        #expect(await failures.reach { $0.count == 2 })
        try await file.write(2)
        #expect(file.status == .current)
        #expect(failures.elements.count == 2)
    }
}
