import Dispatch
import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Subscriptions and sequences, on every backend.
struct BackendSubscriptionTests {
    @Test(arguments: Backend.allCases)
    func sinkCallsWithTheValueThenChangesNeverTwiceTheSame(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let other = try GroupFile("v", in: bench.container, initialValue: 0)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        #expect(await told.first { $0 == 0 } != nil)
        try await file.write(1)
        #expect(await told.first { $0 == 1 } != nil)
        try await other.write(1)
        try await other.write(2)
        #expect(await told.first { $0 == 2 } != nil)
        try await other.remove()
        #expect(await told.reach { $0.count >= 4 && $0.last == 0 })
        #expect(told.elements == [0, 1, 2, 0])
        subscription.cancel()
        let witness = Log<Int>()
        let later = file.sink { witness.append($0) }
        defer { later.cancel() }
        try await file.write(9)
        #expect(await witness.first { $0 == 9 } != nil)
        #expect(told.elements == [0, 1, 2, 0])
    }

    @Test(arguments: Backend.allCases)
    func sinkCallsOnAThreadOfTheLibraryOrOnTheQueue(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "test.queue")
        queue.setSpecific(key: key, value: true)
        let told = Log<(Int, Bool)>()
        let onQueue = file.sink(on: queue) { told.append(($0, DispatchQueue.getSpecific(key: key) == true)) }
        let onThread = file.sink { told.append(($0 + 10, DispatchQueue.getSpecific(key: key) != true)) }
        defer {
            onQueue.cancel()
            onThread.cancel()
        }
        try await file.write(1)
        for value in [1, 11] { #expect(await told.first { $0.0 == value } != nil) }
        #expect(!told.elements.contains { !$0.1 })
    }

    @Test(arguments: Backend.allCases)
    func valuesComeInOrderAndTheLastAlwaysArrives(backend: Backend) async throws {
        let bench = try backend.make()
        let writer = try GroupFile("v", in: bench.container, initialValue: 0, durability: .relaxed)
        let reader = try GroupFile("v", in: bench.container, initialValue: 0)
        let last = 300
        async let seen = { () -> [Int] in
            var seen: [Int] = []
            for await value in reader.values {
                seen.append(value)
                if value == last { break }
            }
            return seen
        }()
        for number in 1...last { try await writer.write(number) }
        let values = await seen
        #expect(values == values.sorted())
        #expect(Set(values).count == values.count)
        #expect(values.last == last)
    }

    @Test(arguments: Backend.allCases)
    func changesTellOldAndNewAndWhoWrote(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let other = try GroupFile("v", in: bench.container, initialValue: 0)
        var changes = file.changes.makeAsyncIterator()
        try await file.write(1)
        let own = await changes.next(isolation: nil)
        #expect(own?.old == 0)
        #expect(own?.new == 1)
        #expect(own?.isOwn == true)
        try await other.write(2)
        let second = await changes.next(isolation: nil)
        #expect(second?.old == 1)
        #expect(second?.new == 2)
        #expect(second?.isOwn == true)
        guard let folder = bench.folder else { return }
        try folder.write("3", to: "c/v")
        let foreign = await changes.next(isolation: nil)
        #expect(foreign?.old == 2)
        #expect(foreign?.new == 3)
        #expect(foreign?.isOwn == false)
    }

    /// Content that a foreign program leaves, and that does not decode, does not become the value.
    @Test(arguments: Backend.directories)
    func anOwnValueStaysOwnUnderBadContent(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        var changes = file.changes.makeAsyncIterator()
        try await file.write(1)
        try bench.put("nonsense", in: "v")
        #expect(await eventually { if case .invalid = file.status { true } else { false } })
        #expect(await changes.next() == GroupFileChange(old: 0, new: 1, isOwn: true))
    }

    /// Changes before the first `next` count as one, from the value that was there when the iterator was made.
    @Test(.endsInTime, arguments: Backend.allCases)
    func changesBeforeTheFirstNextAreOne(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        var changes = file.changes.makeAsyncIterator()
        for number in 1...3 { try await file.write(number) }
        let change = await changes.next(isolation: nil)
        #expect(change?.old == 0)
        #expect(change?.new == 3)
    }

    @Test(arguments: Backend.allCases)
    func statesTellValueStatusAndHealth(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        var states = file.states.makeAsyncIterator()
        let first = await states.next()
        #expect(first?.value == 0)
        #expect(first?.status == .current)
        #expect(first?.health == file.health)
        try await file.remove()
        #expect(await states.next()?.status == .missing)
        try await file.write(3)
        let last = await states.next()
        #expect(last?.value == 3)
        #expect(last?.status == .current)
    }

    /// Also where nothing but the health changes. An observer that polls goes on polling without a directory.
    @Test(.endsInTime, arguments: [Backend.disk, .tmpfs])
    func statesTellHealthAlone(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0, access: .readOnly)
        var states = file.states.makeAsyncIterator()
        let first = await states.next()
        #expect(first?.status == .missing)
        #expect(first?.health == file.health && first?.health != .waitingForDirectory)
        try FileManager.default.removeItem(atPath: bench.container.path)
        let next = await states.next()
        #expect(next?.status == .missing)
        #expect(next?.health == .waitingForDirectory)
    }

    /// A program that restores a missing value has to be notified when the value is missing again.
    @Test(arguments: Backend.allCases)
    func statesTellTheSameAgainAfterAnother(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        try await file.remove()
        var states = file.states.makeAsyncIterator()
        #expect(await states.next()?.status == .missing)
        try await file.write(1)
        try await file.remove()
        let told = Log<GroupFileStatus?>()
        let next = Task { [states] in
            var states = states
            told.append(await states.next()?.status)
        }
        #expect(await told.first { _ in true } == .missing)
        next.cancel()
    }

    @Test(arguments: Backend.allCases)
    func failuresTellEachBadContentOnce(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: ["n": 0])
        var failures = file.failures.makeAsyncIterator()
        try bench.put("{\n  \"n\": \"one\"\n}", in: "v")
        let first = await failures.next()
        #expect(first?.code == .undecodable)
        #expect(first?.line == 2)
        #expect(first?.codingPath == "n")
        try bench.put("{\n  \"n\": \"one\"\n}", in: "v")
        try await file.write(["n": 1])
        try bench.put("nonsense", in: "v")
        let second = await failures.next()
        #expect(second?.code == .undecodable)
        #expect(second?.line == 1)
        #expect(file.value == ["n": 1])
    }

    /// The bad content may be long.
    @Test(arguments: Backend.allCases)
    func whatIsKnownToBeBadIsDecodedOnceByARead(backend: Backend) async throws {
        let bench = try backend.make()
        try bench.put("bad", in: "v")
        let count = Guarded(0)
        let codec = GroupCodec.decimal(decoding: { _ in count.withLock { $0 += 1 } })
        let file = try GroupFile("v", in: bench.container, initialValue: 0, codec: codec)
        var failures = file.failures.makeAsyncIterator()
        let told = try #require(await failures.next())
        let before = count.withLock { $0 }
        #expect(throws: told) { try file.read() }
        #expect(count.withLock { $0 } == before + 1)
    }

    /// Two bad contents that alternate are reported as two failures, until the file held something good, or was
    /// missing.
    @Test(.endsInTime, arguments: Backend.allCases, [false, true])
    func badContentThatComesAgainIsNotToldAgain(backend: Backend, isRemoved: Bool) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        var failures = file.failures.makeAsyncIterator()
        func put(_ line: Int) async throws {
            try bench.put(String(repeating: "\n", count: line - 1) + "nonsense", in: "v")
            #expect(
                await eventually {
                    if case .invalid(let error) = file.status { error.line == line } else { false }
                })
        }
        for line in [2, 3] {
            try await put(line)
            #expect(await failures.next()?.line == line)
        }
        for line in [2, 3, 2, 4] { try await put(line) }
        #expect(await failures.next()?.line == 4)
        try await put(2)
        // A later iterator does not know which failures were reported before.
        var later = file.failures.makeAsyncIterator()
        #expect(await later.next()?.line == 2)
        try await put(3)
        #expect(await later.next()?.line == 3)
        if isRemoved { try await file.remove() } else { try await file.write(1) }
        try await put(2)
        #expect(await failures.next()?.line == 2)
        #expect(await later.next()?.line == 2)
    }

    @Test(.endsInTime, arguments: Backend.allCases)
    func failuresWaitForASlowLoop(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        var failures = file.failures.makeAsyncIterator()
        for number in 1...3 {
            try bench.put(String(repeating: "\n", count: number) + "nonsense", in: "v")
            #expect(await eventually { if case .invalid = file.status { true } else { false } })
            // The last one stays.
            if number < 3 { try await file.write(number) }
        }
        for number in 1...3 { #expect(await failures.next()?.line == number + 1) }
        var later = file.failures.makeAsyncIterator()
        #expect(await later.next()?.line == 4)
    }

    @Test(arguments: Backend.allCases)
    func firstReturnsAtOnceOrWaitsOrTimesOut(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let other = try GroupFile("v", in: bench.container, initialValue: 0)
        #expect(try await file.first(timeout: .testDeadline) { $0 == 0 } == 0)
        async let found = file.first(timeout: .testDeadline) { $0 > 2 }
        for number in 1...3 { try await other.write(number) }
        #expect(try await found == 3)
        #expect(try await file.first { $0 == 3 } == 3)
        let late = await #expect(throws: GroupFileError.self) {
            try await file.first(timeout: .milliseconds(20)) { $0 < 0 }
        }
        #expect(late?.code == .timedOut)
    }

    @Test(.endsInTime, arguments: Backend.allCases)
    func sequencesEndWhenTheirTaskIsCancelled(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let names = bench.container.names
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in file.values {} }
                group.addTask { for await _ in file.failures {} }
                group.addTask { for await _ in file.states {} }
                group.addTask { for await _ in file.changes {} }
                group.addTask { for await _ in names.values {} }
            }
        }
        task.cancel()
        await task.value
    }
}
