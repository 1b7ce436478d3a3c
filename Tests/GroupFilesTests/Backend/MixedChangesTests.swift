import Dispatch
import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Calls that block and calls that are awaited, of one value in one process: a call that blocks may occupy the actor or
/// thread that another call needs to release the lock. A time-out stands for waiting for ever.
struct MixedChangesTests {
    private actor Owner {
        let file: GroupFile<Int>

        init(_ container: GroupContainer) throws {
            file = try GroupFile(
                "v", in: container, initialValue: 0, durability: .relaxed, lockTimeout: .testDeadline)
        }

        func add() async throws { try await file.update { $0 += 1 } }
        func addBlocking() throws { try file.update { $0 += 1 } }
    }

    /// The body runs on the actor, which may be waiting for the lock.
    @Test(arguments: Backend.allCases)
    func G5_anActorMayChangeAValueInBothWays(backend: Backend) async throws {
        let bench = try backend.make()
        let owner = try Owner(bench.container)
        for _ in 0..<50 {
            async let one: Void = owner.add()
            async let other: Void = owner.addBlocking()
            async let third: Void = owner.add()
            _ = try await (one, other, third)
        }
        #expect(owner.file.value == 150)
    }

    /// Swift's pool has no more threads than there are processors, and all of them may wait for the lock.
    @Test(arguments: Backend.allCases)
    func G5_tasksMayChangeAValueInBothWays(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile(
            "v", in: bench.container, initialValue: 0, durability: .relaxed, lockTimeout: .testDeadline)
        @Sendable func addBlocking() throws { try file.update { $0 += 1 } }
        for _ in 0..<10 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        if task % 2 == 0 { try addBlocking() } else { try await file.update { $0 += 1 } }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(file.value == 80)
    }

    /// Once its body has ended, an update is published without its actor, which may wait for the lock by then.
    @Test(arguments: Backend.allCases)
    func G5_anUpdateWhoseBodyHasEndedNeedsItsActorNoMore(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile(
            "v", in: bench.container, initialValue: 0, durability: .relaxed, lockTimeout: .testDeadline)
        let ended = Log<Result<Void, GroupFileError>>()
        try await QueueOwner().add(to: file) {
            ended.append(Result { () throws(GroupFileError) in try file.update { $0 += 1 } })
        }
        try await ended.wait(until: \.first)?.get()
        #expect(file.value == 2)
    }

    /// Nor does it need a thread of Swift's pool: all of them may wait for the lock by then. The cases run one after
    /// the other: two cases that each occupy some of the threads would wait for the rest.
    @Test(.serialized, arguments: Backend.allCases)
    func G5_anUpdateWhoseBodyHasEndedNeedsNoThreadOfThePool(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile(
            "v", in: bench.container, initialValue: 0, durability: .relaxed, lockTimeout: .testDeadline)
        @Sendable func addBlocking() throws { try file.update { $0 += 1 } }
        let count = ProcessInfo.processInfo.activeProcessorCount
        let begun = DispatchSemaphore(value: 0)
        let ended = Log<Result<Void, any Error>>()
        try await QueueOwner().add(to: file) {
            for _ in 0..<count {
                Task.detached(priority: .high) {
                    begun.signal()
                    ended.append(Result { try addBlocking() })
                }
            }
            for _ in 0..<count {
                #expect(begun.wait(timeout: .now() + Duration.testDeadline.dispatchInterval) == .success)
            }
        }
        for result in try #require(await ended.wait { $0.count == count ? $0 : nil }) { try result.get() }
        #expect(file.value == count + 1)
    }

    /// A call that has to start over in favour of others gets its turn nevertheless.
    @Test(arguments: Backend.allCases)
    func G5_anAwaitedUpdateComesToItsTurnAmongThoseThatBlock(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0, durability: .relaxed)
        let isOver = Gate()
        let ended = Log<Result<Int, any Error>>()
        for _ in 0..<2 {
            try Thread.spawn(named: "updater") {
                var count = 0
                ended.append(
                    Result {
                        while !isOver.isOpen {
                            try file.update { $0 += 1 }
                            count += 1
                        }
                        return count
                    })
            }
        }
        try await apart {
            defer { isOver.open() }
            for _ in 0..<20 { try await file.update { $0 += 1 } }
        }
        let results = await ended.wait { $0.count == 2 ? $0 : nil }
        let count = try results?.reduce(0) { try $0 + $1.get() }
        #expect(count.map { $0 + 20 } == file.value)
    }
}
