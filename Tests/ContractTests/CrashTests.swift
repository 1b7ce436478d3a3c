import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

@Suite(.fewAtOnce, .serialized)
struct CrashTests {
    /// G6: a writer is killed at each system call of a write in turn. It leaves the old value or the new one, a free
    /// lock, and nothing behind once somebody else has written.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G6_aKilledWriterLeavesTheOldOrTheNewValue(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed, lockTimeout: .seconds(5))
        var old = 0
        var news = 0
        var step = 0
        while true {
            step += 1
            try await file.write(step)
            let program = try Program(.product("probe"), ["crash", "\(step)", folder.path("c"), "v", "\(-step)"])
            let exit = try await program.exit()
            #expect(program.output.elements.first == "began", "\(program.errors.elements)")
            let left = try folder.read("c/v")
            if program.output.elements.last == "survived" {
                #expect(left == "\(-step)\n")
                break
            }
            #expect(exit == .signal(SIGKILL))
            #expect(left == "\(step)\n" || left == "\(-step)\n", "killed at call \(step): \(left)")
            if left == "\(step)\n" { old += 1 } else { news += 1 }
            // The lock is free, and the next writer sweeps.
            try await file.write(step)
            let names = try folder.names(in: "c/.groupfile")
            #expect(Set(names).isSubset(of: ["v.lock", "v.turn"]), "killed at call \(step): \(names)")
        }
        #expect(old > 5 && news > 0, "\(old) old, \(news) new")
    }

    /// G12: a writer is killed at each system call of a write over content that is no value. The content is still
    /// there, or kept.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_aKilledWriterLosesNothingOfTheUsers(place: TemporaryDirectory.Place) async throws {
        var kept = 0
        for step in 1... {
            let folder = try TemporaryDirectory(on: place)
            try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
            try folder.write("no number", to: "c/v")
            let program = try Program(.product("probe"), ["crash", "\(step)", folder.path("c"), "v", "7"])
            _ = try await program.exit()
            if program.output.elements.last == "survived" { break }
            let file = try GroupFile(
                "v", in: GroupContainer(directory: folder.path("c")), initialValue: 0, durability: .relaxed)
            try await file.write(8)
            let names = try folder.names(in: "c/.groupfile")
            #expect(Set(names).isSubset(of: ["v.lock", "v.turn", "v.rejected"]), "killed at call \(step): \(names)")
            #expect(names.contains("v.rejected"), "killed at call \(step)")
            if names.contains("v.rejected") {
                #expect(try folder.read("c/.groupfile/v.rejected") == "no number")
                kept += 1
            }
        }
        #expect(kept > 10)
    }

    /// G7: each durability syncs what it promises, in the order that makes it true.
    @Test(arguments: Durability.allCases)
    func G7_syncsComeBeforeAndAfterThePublication(durability: Durability) async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["steps", folder.path("c"), "v", "7", durability.rawValue])
        try await program.line("end")
        let calls = program.output.elements.map { $0.split(separator: " ").first.map(String.init) ?? "" }
        let write = try #require(calls.firstIndex(of: "write"))
        let publication = try #require(calls.firstIndex(of: "renameat2"))
        let syncs = calls.indices.filter { calls[$0] == "fsync" }
        switch durability {
        case .relaxed:
            #expect(syncs.isEmpty)
        case .consistent:
            #expect(syncs.count == 1)
            #expect(syncs.allSatisfy { $0 > write && $0 < publication })
        case .durable:
            #expect(syncs.count == 2)
            #expect(syncs.first.map { $0 > write && $0 < publication } ?? false)
            #expect(syncs.last.map { $0 > publication } ?? false)
        }
    }

    static let errors: [Errno] = [
        .inputOutput, .noSpace, .quotaExceeded, .readOnlyFileSystem, .tooManyOpenFiles, .accessDenied, .busy,
    ]

    /// G6, G7: every system call of a write fails in turn, with each error. That leaves the old value or the new one, a
    /// typed error, no descriptor and no temporary file.
    ///
    /// The first write of an open value opens its lock; later writes find the lock open. Half of the rounds test each
    /// case.
    @Test(arguments: errors, Durability.allCases)
    func G6_aFailedCallLeavesTheOldOrTheNewValue(error: Errno, durability: Durability) async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            func open(_ name: String, _ durability: Durability) throws -> GroupFile<Int> {
                let container = try GroupContainer(directory: folder.path(name))
                return try GroupFile("v", in: container, initialValue: 0, durability: durability)
            }
            // The library closes what it keeps open for the next change a moment later.
            func expectThatAllIsClosed() throws {
                let deadline = Moment.now + .testDeadline
                while try folder.openDescriptors > 0, .now < deadline {
                    SystemCalls.Thread.sleep(for: .milliseconds(1))
                }
                #expect(try folder.openDescriptors == 0)
            }
            let file = try open("c", durability)
            try failEachCall(error) { step in
                try file.write(step)
                return file
            }
            for step in 1...Self.mostCalls { try open("\(step)", .relaxed).write(step) }
            try expectThatAllIsClosed()
            try failEachCall(error) { step in try open("\(step)", durability) }
            try expectThatAllIsClosed()
        }
    }

    /// More calls than a write makes.
    private static let mostCalls = 40

    /// `open` returns a file whose value is the step's number.
    private func failEachCall(_ error: Errno, _ open: (_ step: Int) throws -> GroupFile<Int>) throws {
        var failures = 0
        for step in 1...Self.mostCalls {
            let file = try open(step)
            let (call, thrown) = write(-step, to: file, failing: step, with: error)
            let left = try String(contentsOfFile: file.path, encoding: .utf8)
            if call.isEmpty {
                #expect(left == "\(-step)\n")
                #expect(failures > 5)
                return
            }
            if let thrown {
                failures += 1
                if thrown.code == .notDurable {
                    #expect(left == "\(-step)\n", "\(call)")
                } else {
                    #expect(left == "\(step)\n" || left == "\(-step)\n", "\(call): \(left)")
                    #expect(thrown.path != nil && thrown.errno == error.rawValue, "\(call): \(thrown)")
                }
            } else {
                #expect(left == "\(-step)\n", "\(call): no error, but \(left)")
            }
            #expect(try file.read() == Int(left.dropLast()), "\(call)")
            try file.write(step)
            let control = try Directory(path: (Path.beforeLastSlash(file.path) ?? "") + "/.groupfile")
            let names = try control.names().filter { !$0.contains(".rejected") }
            #expect(Set(names).isSubset(of: ["v.lock", "v.turn"]), "\(call): \(names)")
        }
        Issue.record("a write makes more than \(Self.mostCalls) calls")
    }

    /// Makes the call with that number fail. Returns which call that was, or nothing if there are fewer, and what the
    /// write threw.
    private func write(
        _ value: Int, to file: GroupFile<Int>, failing number: Int, with error: Errno
    ) -> (call: String, thrown: GroupFileError?) {
        let made = Guarded(0)
        let failedCall = Guarded("")
        var thrown: GroupFileError?
        do throws(GroupFileError) {
            try SystemCallTap.tapping { call, detail in
                // Closing cannot fail in a way that matters.
                if call == .close { return .none }
                let isNow = made.increment() == number
                if isNow { failedCall.withLock { $0 = "\(call.rawValue) \(detail)" } }
                return isNow ? .fail(error) : .none
            } during: { () throws(GroupFileError) in
                try file.write(value)
            }
        } catch {
            thrown = error
        }
        return (failedCall.withLock { $0 }, thrown)
    }
}
