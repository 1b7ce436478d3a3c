import Dispatch
import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

@Suite(.fewAtOnce, .serialized)
struct OrderTests {
    /// A value that says who wrote it and when.
    struct Stamp: Codable, Sendable, Equatable {
        var writer: Int
        var count: Int
    }

    /// G3: of each writer, every subscription sees numbers that only grow, never two equal ones in a row, and the last
    /// one in the end. The writers are several threads of this process, through two `GroupFile`s, and another process.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G3_everySubscriptionSeesValuesInOrder(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        // In each number, the millions are the writer, and the rest counts.
        let files = try (0..<2).map { _ in
            try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        }
        let observer = try GroupFile("v", in: container, initialValue: 0, access: .readOnly)
        let logs = (0..<4).map { _ in Log<Int>() }
        var subscriptions: Set<Subscription> = []
        files[0].sink { logs[0].append($0) }.store(in: &subscriptions)
        files[1].sink(on: DispatchQueue(label: "test")) { logs[1].append($0) }.store(in: &subscriptions)
        observer.sink { logs[2].append($0) }.store(in: &subscriptions)
        let task = Task { for await value in files[0].values { logs[3].append(value) } }
        defer { task.cancel() }
        let times = 400
        let other = try Program(
            .product("probe"), ["write", folder.path("c"), "v", "3000001", "\(3_000_000 + times)"])
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    await withCheckedContinuation { done in
                        DispatchQueue.global().async {
                            for count in 1...times {
                                let value = (writer + 1) * 1_000_000 + count
                                do {
                                    try files[writer].write(value)
                                } catch {
                                    Issue.record(error)
                                }
                                // The writer's own `value` is what it wrote, or newer.
                                let own = files[writer].value
                                if own / 1_000_000 == writer + 1, own < value { Issue.record("\(own) after \(value)") }
                            }
                            done.resume()
                        }
                    }
                }
            }
        }
        try await other.line("done")
        let last = try await observer.read()
        for (index, log) in logs.enumerated() {
            #expect(await log.reach { $0.last == last }, "log \(index)")
            let elements = log.elements
            #expect(zip(elements, elements.dropFirst()).allSatisfy { $0 != $1 }, "equal in a row in log \(index)")
            for writer in 1...3 {
                let own = elements.filter { $0 / 1_000_000 == writer }
                #expect(zip(own, own.dropFirst()).allSatisfy { $0 < $1 }, "log \(index), writer \(writer)")
            }
        }
    }

    @Test func G3_afterAWriteEveryGroupFileOfTheProcessHasTheValue() async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let container = try GroupContainer(directory: folder.path("c"))
            try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "c")
            let alias = try GroupContainer(directory: folder.path("link"))
            let number = try GroupFile("v", in: container, initialValue: 0)
            let text = try GroupFile("v", in: alias, initialValue: "", codec: .text)
            for value in 1...50 {
                try number.write(value)
                #expect(text.value == "\(value)")
                try text.write("\(value * 100)")
                #expect(number.value == value * 100)
            }
        }
    }

    /// G3: for a subscriber that was busy, A, B, A in quick succession is A, A: nothing was new.
    @Test func G3_equalBytesAreNotToldTwiceInARow() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        let told = Log<Int>()
        let isFree = DispatchSemaphore(value: 0)
        let subscription = file.sink { value in
            told.append(value)
            if told.elements.count == 1 { isFree.wait() }
        }
        defer { subscription.cancel() }
        #expect(await told.first { _ in true } == 1)
        try await file.write(2)
        try await file.write(1)
        isFree.signal()
        try await file.write(1)
        try await file.write(3)
        #expect(await told.first { $0 == 3 } != nil)
        let elements = told.elements
        #expect(zip(elements, elements.dropFirst()).allSatisfy { $0 != $1 }, "\(elements)")
    }

    /// G4: what is written between the registration and the first read is not missed, in a directory that is watched.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_nothingIsMissedWhileOpening(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        for round in 0..<300 {
            let name = "v\(round)"
            let writer = try GroupFile(name, in: container, initialValue: 0, durability: .relaxed)
            let start = DispatchSemaphore(value: 0)
            // Not on a global queue: those have the cooperative threads.
            DispatchQueue(label: "test.writer").async {
                start.signal()
                do {
                    // This writes like a foreign program, not through a core of this process.
                    try folder.replace("c/\(name)", with: "7")
                } catch {
                    Issue.record(error)
                }
            }
            start.wait()
            let observer = try GroupFile(name, in: container, initialValue: -1, access: .readOnly)
            #expect(try await observer.first(timeout: .beforeTheHeartbeat) { $0 == 7 } == 7)
            withExtendedLifetime(writer) {}
        }
    }

    /// G4: while the observer is stopped, the kernel's queue overflows; the last value arrives nevertheless. It does so
    /// whether or not the overflow is reported together with other events: a buffer holds a whole number of records of
    /// the one name, not of the other. This process does not watch the directory: its own queue would overflow, for the
    /// tests beside this one, too.
    @Test(arguments: TemporaryDirectory.Place.allCases, ["other", "neighbour-with-a-long-name"])
    func G4_theLastValueArrivesAfterAnOverflow(place: TemporaryDirectory.Place, name: String) async throws {
        let folder = try TemporaryDirectory(on: place)
        func write(_ value: Int) async throws {
            _ = try await Program.run(.product("probe"), ["write", folder.path("c"), "v", "\(value)", "\(value)"])
        }
        try await write(0)
        let observer = try Program(.product("probe"), ["watch", folder.path("c"), "v"])
        try await observer.line("value 0")
        observer.signal(SIGSTOP)
        let directory = try Directory(path: folder.path("c"))
        // More events than the 16,384 that the queue holds, of two names in turn, so that none are merged.
        for index in 0..<20_000 {
            _ = try directory.open("\(name)\(index % 2)", [.writeOnly, .create], permissions: 0o600)
        }
        try await write(42)
        observer.signal(SIGCONT)
        // This ends before the heartbeat, which would find the value in any case.
        try await observer.line("value 42", within: .seconds(25))
        try await write(43)
        try await observer.line("value 43")
    }

    /// G4: a write goes to the directory that has the path, even if another directory was put there since the last
    /// write.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aWriteLandsInTheDirectoryThatBearsThePath(place: TemporaryDirectory.Place) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
            let manager = FileManager.default
            for round in 1...50 {
                try manager.moveItem(atPath: folder.path("c"), toPath: folder.path("old\(round)"))
                if round % 2 == 0 {
                    try manager.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
                }
                try file.write(round)
                #expect(try folder.read("c/v") == "\(round)\n")
                #expect(file.value == round)
            }
        }
    }

    /// G4: the directory is exchanged at each system call of a write in turn; the value is in the last directory then.
    @Test func G4_aWriteIsRepeatedWhereTheDirectoryWasExchangedMeanwhile() async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
            let manager = FileManager.default
            var step = 0
            while true {
                step += 1
                let target = step
                let made = Guarded(0)
                let exchanged = Guarded(false)
                try SystemCallTap.tapping({ _, _ in
                    let isNow = made.increment() == target
                    if isNow {
                        do {
                            try manager.moveItem(atPath: folder.path("c"), toPath: folder.path("old\(target)"))
                            try manager.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
                            exchanged.withLock { $0 = true }
                        } catch {
                            Issue.record(error)
                        }
                    }
                    return .none
                }) { () throws(GroupFileError) in
                    try file.write(target)
                }
                if !exchanged.withLock({ $0 }) { break }
                // An exchange after the last check counts as one after the write has returned; otherwise the value is
                // in the new directory.
                let there = manager.fileExists(atPath: folder.path("c/v")) ? try folder.read("c/v") : "nothing"
                let total = made.withLock { $0 }
                #expect(
                    there == "\(target)\n" || total - target < 3, "exchanged at call \(target) of \(total): \(there)")
            }
            #expect(step > 10)
        }
    }

    /// G4: the same where the directories are soon exchanged back: a directory that is there at every instant is no
    /// reason to fail.
    @Test(arguments: 1...3)
    func G4_aWriteSucceedsWhereTheDirectoryIsExchangedThereAndBack(gap: Int) async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let manager = FileManager.default
            try manager.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: false)
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
            var isReached = true
            var step = 0
            while isReached {
                step += 1
                let target = step
                let made = Guarded(0)
                let exchanges = Guarded(0)
                let exchange: @Sendable () -> Void = {
                    exchanges.withLock { $0 += 1 }
                    do {
                        for (from, to) in [("c", "x"), ("d", "c"), ("x", "d")] {
                            try manager.moveItem(atPath: folder.path(from), toPath: folder.path(to))
                        }
                    } catch {
                        Issue.record(error)
                    }
                }
                do {
                    try SystemCallTap.tapping({ _, _ in
                        let call = made.increment()
                        if call == target || call == target + gap { exchange() }
                        return .none
                    }) { () throws(GroupFileError) in
                        try file.write(target)
                    }
                } catch {
                    Issue.record("exchanged at call \(target), and \(gap) later: \(error)")
                }
                isReached = exchanges.withLock { $0 } == 2
                let values = try ["c/v", "d/v"].filter { manager.fileExists(atPath: folder.path($0)) }
                    .map { try folder.read($0) }
                #expect(values.contains("\(target)\n"), "\(target): \(values)")
            }
            #expect(step > 10)
        }
    }
}
