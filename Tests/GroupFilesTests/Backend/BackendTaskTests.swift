import Dispatch
import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Several tasks that use one value through one object, on every backend.
@Suite(.endsInTime)
struct BackendTaskTests {
    /// A task that adds 100, and holds the lock and its object's turn until the test releases it.
    private struct Holder {
        let task: Task<Void, any Error>
        private let end = AsyncStream.makeStream(of: Void.self)

        init(_ file: GroupFile<Int>) async {
            let begun = Gate()
            let ended = end.stream
            task = Task {
                try await file.update { value async throws -> Void in
                    begun.open()
                    for await _ in ended {}
                    value += 100
                }
            }
            #expect(await begun.opened())
        }

        func letGo() { end.continuation.finish() }
    }

    private func awaitQueue(_ file: GroupFile<Int>, _ count: Int) async {
        #expect(await eventually { file.queues.changes.waitingCount == count })
    }

    @Test(arguments: Backend.allCases)
    func tasksAreServedInTheOrderInWhichTheyCome(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: [Int](), durability: .relaxed)
        let other = try GroupFile("v", in: bench.container, initialValue: [Int](), durability: .relaxed)
        let begun = Gate()
        let end = DispatchSemaphore(value: 0)
        try Thread.spawn(named: "holder") {
            do throws(GroupFileError) {
                try other.update { value in
                    begun.open()
                    end.wait()
                    value.append(0)
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(await begun.opened())
        // Tasks of one actor: other tasks may overtake each other where the pool is too busy to go on with one of them.
        let owner = QueueOwner()
        var tasks: [Task<Void, any Error>] = []
        for number in 1...10 {
            tasks.append(Task { try await owner.run { _ in try await file.update { $0.append(number) } } })
            // The first has the turn, and waits for the lock.
            #expect(await eventually { !file.queues.changes.isFree && file.queues.changes.waitingCount == number - 1 })
        }
        end.signal()
        for task in tasks { try await task.value }
        #expect(file.value == Array(0...10))
    }

    @Test(arguments: Backend.allCases)
    func aTaskInTheQueueThatIsCancelledChangesNothing(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let holder = await Holder(file)
        let tasks = [
            Task { try await file.update { $0 = 7 } }, Task { try await file.write(7) },
            Task { try await file.remove() },
        ]
        let last = Task { try await file.update { $0 += 1 } }
        await awaitQueue(file, 4)
        for task in tasks {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        await awaitQueue(file, 1)
        holder.letGo()
        try await last.value
        try await holder.task.value
        #expect(file.value == 101)
    }

    @Test(arguments: Backend.allCases)
    func lockTimeoutBoundsTheWaitInTheQueueToo(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0, lockTimeout: .milliseconds(20))
        let holder = await Holder(file)
        let error = await #expect(throws: GroupFileError.self) { try await file.write(1) }
        #expect(error?.code == .timedOut)
        #expect(error?.path == file.path)
        #expect(error?.message.contains("0.02 seconds") == true, "\(String(describing: error))")
        #expect(error?.message.contains("another task of this process") == true, "\(String(describing: error))")
        await awaitQueue(file, 0)
        holder.letGo()
        try await holder.task.value
        #expect(file.value == 100)
    }

    /// A call that has returned has passed on its turn, even to a task that would not wait at all.
    @Test(arguments: Backend.allCases)
    func aTaskFindsItsOwnTurnFree(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile(
            "v", in: bench.container, initialValue: 0, durability: .relaxed, lockTimeout: .zero)
        for round in 0..<200 {
            try await file.write(round)
            try await file.update { $0 += 1 }
            #expect(file.value == round + 1)
            try await file.remove()
        }
    }

    /// A nested change is refused at once, whichever call has the turn.
    @Test(arguments: Backend.allCases)
    func aNestedUpdateIsRefusedAtOnceWhileOthersWait(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let same = try GroupFile("v", in: bench.container, initialValue: 0)
        var waiting: Task<Void, any Error>?
        try await same.update { value async throws -> Void in
            // This task is not part of the update, and so its own update is not nested.
            waiting = UpdateScope.resume(nil) { Task { try await file.update { $0 += 10 } } }
            #expect(await eventually { !file.queues.changes.isFree })
            for change in [
                { try await file.write(9) }, { try await file.update { $0 = 9 } }, { try await file.remove() },
            ] {
                await #expect { try await change() } throws: { ($0 as? GroupFileError)?.code == .nested }
            }
            value += 1
        }
        try await waiting?.value
        #expect(file.value == 11)
    }

    /// The body has ended when its value is encoded, though the lock is held until that is published.
    @Test(arguments: Backend.allCases)
    func aTaskStartedInABlockingUpdateIsNoPartOfItOnceTheBodyHasEnded(backend: Backend) async throws {
        let bench = try backend.make()
        let (ended, attempted) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let codec = GroupCodec.decimal(encoding: { value in
            if value == 5 {
                ended.continuation.finish()
                attempted.wait()
                attempted.signal()
            }
        })
        let file = try GroupFile("v", in: bench.container, initialValue: 0, codec: codec)
        let other = try GroupFile(
            "v", in: bench.container, initialValue: 0, codec: codec, lockTimeout: .milliseconds(20))
        let started = Log<Result<Task<GroupFileError.Code?, Never>, GroupFileError>>()
        // Not on one of dispatch's threads: the task may need that one.
        try Thread.spawn(named: "updater") {
            started.append(
                Result { () throws(GroupFileError) in
                    try file.update { value in
                        value = 5
                        return Task {
                            defer { attempted.signal() }
                            for await _ in ended.stream {}
                            do { try await other.write(9) } catch { return (error as? GroupFileError)?.code }
                            return nil
                        }
                    }
                })
        }
        let task = try #require(await started.first { _ in true }).get()
        #expect(await task.value == .timedOut)
        #expect(file.value == 5)
        try await other.write(9)
        #expect(file.value == 9)
    }

    /// After the exchange the file is a different one, but the value is the same.
    @Test(arguments: Backend.directories)
    func aNestedUpdateIsRefusedWhereTheDirectoryWasExchanged(backend: Backend) async throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let calls = Log<Void>()
        try await file.update { value async throws -> Void in
            if calls.elements.isEmpty {
                try FileManager.default.moveItem(atPath: folder.path("c"), toPath: folder.path("old"))
                try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
                try await file.read()
            }
            calls.append(())
            await #expect { try await file.write(9) } throws: { ($0 as? GroupFileError)?.code == .nested }
            value += 1
        }
        #expect(calls.elements.count == 2)
        #expect(try folder.read("c/v") == "1\n")
    }

    @Test(arguments: Backend.allCases)
    func readsWaitForNoChange(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 5)
        let holder = await Holder(file)
        let waiting = Task { try await file.update { $0 += 1 } }
        await awaitQueue(file, 1)
        #expect(try await file.read() == 5)
        holder.letGo()
        try await waiting.value
        #expect(try await file.read() == 106)
    }

    /// While one read is busy with the file, the others occupy no thread.
    @Test(arguments: Backend.allCases)
    func readsWaitForEachOther(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 5)
        let turn = try await BlockingCall.run(in: file.queues.reads) { _, turn in turn }
        let reads = (0..<10).map { _ in Task { try await file.read() } }
        #expect(await eventually { file.queues.reads.waitingCount == 10 })
        reads[3].cancel()
        await #expect(throws: CancellationError.self) { try await reads[3].value }
        try await file.write(6)
        turn.release()
        for (index, read) in reads.enumerated() where index != 3 { #expect(try await read.value == 6) }
    }

    /// Whenever tasks are cancelled: those that did not throw have changed the value, and the others have not.
    @Test(arguments: Backend.allCases)
    func noChangeIsLostAmongCancels(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0, durability: .relaxed)
        var random = SeededGenerator(seed: 3)
        var changes = 0
        for _ in 0..<10 {
            let tasks = (0..<20).map { _ in Task { try await file.update { $0 += 1 } } }
            for task in tasks where Bool.random(using: &random) {
                for _ in 0..<Int.random(in: 0..<3, using: &random) { await Task.yield() }
                task.cancel()
            }
            for task in tasks {
                do {
                    try await task.value
                    changes += 1
                } catch is CancellationError {
                }
            }
        }
        #expect(try await file.read() == changes)
        #expect(file.queues.changes.waitingCount == 0)
    }

    /// The error of a task that waited behind another tells the timeout that was set, not what was left of it.
    @Test(arguments: Backend.allCases)
    func timedOutTellsTheLockTimeout(backend: Backend) async throws {
        let bench = try backend.make()
        let holder = await Holder(try GroupFile("v", in: bench.container, initialValue: 0))
        // On a busy machine it takes a while until the second task waits behind the first, whose time may be over by
        // then: the second task's error is the same.
        let file = try GroupFile("v", in: bench.container, initialValue: 0, lockTimeout: .seconds(2))
        let isOver = Gate()
        let first = Task {
            defer { isOver.open() }
            try await file.write(1)
        }
        #expect(await eventually { !file.queues.changes.isFree || isOver.isOpen })
        let second = Task { try await file.write(2) }
        #expect(await eventually { file.queues.changes.waitingCount == 1 || isOver.isOpen })
        first.cancel()
        let error = await #expect(throws: GroupFileError.self) { try await second.value }
        #expect(error?.message.contains("within 2.0 seconds") == true, "\(error?.message ?? "")")
        holder.letGo()
        try await holder.task.value
    }
}
