import Dispatch
import Foundation
import TestSupport
import Testing

@testable import GroupFiles

/// All threads of Swift's pool are blocked. An actor that has a thread of its own, as the main actor has, is not.
@Suite(.serialized, .endsInTime)
struct BlockedPoolTests {
    /// No other test uses this priority, and each priority has its own threads.
    private static let priority = TaskPriority.low

    /// A call that need not wait begins its work without leaving the actor.
    @Test func aBlockingCallBeginsWithoutAThreadOfThePool() async throws {
        let begun = Gate()
        try await whilePoolIsBlocked { owner in
            try await BlockingCall.run { begun.open() }
        } meanwhile: {
            #expect(await begun.opened())
        }
    }

    /// Calls `body` on an actor, and blocks the pool until `meanwhile` has ended.
    private func whilePoolIsBlocked(
        _ body: @escaping @Sendable (isolated QueueOwner) async throws -> Void, meanwhile: () async -> Void
    ) async throws {
        let (isThere, ended) = (Gate(), Log<Result<Void, any Error>>())
        let (isBlocked, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        @Sendable func block(until semaphore: DispatchSemaphore) { semaphore.wait() }
        Task.detached(priority: Self.priority) {
            await QueueOwner().run { owner in
                isThere.open()
                block(until: isBlocked)
                do {
                    try await body(owner)
                    ended.append(.success(()))
                } catch {
                    ended.append(.failure(error))
                }
            }
        }
        #expect(await isThere.opened())

        let blocked = Log<Void>()
        let count = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<count {
            Task.detached(priority: Self.priority) {
                blocked.append(())
                block(until: end)
            }
        }
        #expect(await blocked.reach { $0.count == count })
        isBlocked.signal()
        await meanwhile()
        // Where `body` suspends, it needs a thread of the pool to go on.
        for _ in 0..<count { end.signal() }
        try #require(await ended.wait(until: \.first)).get()
    }
}
