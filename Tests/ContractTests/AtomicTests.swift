import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

struct AtomicTests {
    /// G1: a reader of the bare file, which knows nothing of us, sees one published value, never less and never none.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G1_everyReadSeesExactlyOneValue(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let size = 50_000
        let first = try Program(.product("probe"), ["blobs", folder.path("c"), "v", "1", "\(size)"])
        try await first.line("done")
        let writers = try (0..<2).map { _ in
            try Program(.product("probe"), ["blobs", folder.path("c"), "v", "300", "\(size)"])
        }
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
        for writer in writers { try await writer.line("done") }
        #expect(reads > 10)
    }

    /// G2: what an in-place writer has written so far is never told, though every part of it would decode.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G2_aWriterAtWorkIsWaitedFor(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
        try folder.write("old", to: "c/v")
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: Data(), access: .readOnly, codec: .data)
        let told = Log<Data>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { _ in true } == Data("old".utf8))
        for round in 1...5 {
            // Truncates, writes ten parts with pauses well below 50 ms, closes; then makes another file the same way.
            let script = """
                for target in c/v c/w; do
                  exec 3> $target
                  for part in 1 2 3 4 5 6 7 8 9 0; do printf "$part-\(round) " >&3; sleep 0.005; done
                  exec 3>&-
                done
                """
            _ = try await Program.run(.command("sh"), ["-ec", script], directory: folder.path)
            let whole = Data((1...10).map { "\($0 % 10)-\(round) " }.joined().utf8)
            #expect(await told.first { $0 == whole } != nil)
        }
        let allowed = Set((1...5).map { round in Data((1...10).map { "\($0 % 10)-\(round) " }.joined().utf8) })
        #expect(allowed.union([Data("old".utf8)]).isSuperset(of: told.elements), "\(told.elements.map(\.count))")
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G2_aNewFileIsNotReadWhileItIsMade(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
        let container = try GroupContainer(directory: folder.path("c"))
        for round in 0..<20 {
            let file = try GroupFile("v\(round)", in: container, initialValue: Data(), access: .readOnly, codec: .data)
            let told = Log<Data>()
            let subscription = file.sink { told.append($0) }
            let script = "exec 3> c/v\(round); sleep 0.00\(round % 10); printf half >&3; sleep 0.01; printf half >&3; exec 3>&-"
            _ = try await Program.run(.command("sh"), ["-ec", script], directory: folder.path)
            #expect(await told.first { $0 == Data("halfhalf".utf8) } != nil)
            #expect(told.elements == [Data(), Data("halfhalf".utf8)])
            subscription.cancel()
        }
    }

    /// G2: what does not decode is a failure once nothing has happened for 50 ms, and not before.
    @Test func G2_badContentIsReportedAfterTheSettleTime() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        let failures = Log<(GroupFileError, Moment)>()
        let task = Task {
            for await failure in file.failures { failures.append((failure, .now)) }
        }
        defer { task.cancel() }
        let start = Moment.now
        try folder.write("{\"a\": [1, 2, x]}", to: "c/v")
        let (failure, moment) = try #require(await failures.first { _ in true })
        #expect(moment - start >= .milliseconds(50))
        #expect(failure.code == .undecodable)
        #expect(failure.line == 1 && failure.column == 14, "\(failure)")
        #expect(file.value == 1)
        #expect(file.status == .invalid(failure))
        await #expect(throws: GroupFileError.self) { try await file.read() }
        // Once for each distinct content.
        try folder.write("{\"a\": [1, 2, x]}", to: "c/v")
        try folder.write("still bad", to: "c/v")
        #expect(await failures.wait { $0.count == 2 ? true : nil } == true)
        try await file.write(2)
        #expect(file.status == .current)
        #expect(failures.elements.count == 2)
    }
}
