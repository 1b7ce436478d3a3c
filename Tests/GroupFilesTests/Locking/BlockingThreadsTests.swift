import Dispatch
import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// The threads on which awaited calls block.
@Suite(.endsInTime)
struct BlockingThreadsTests {
    /// Runs a piece of work, and returns the directory below /proc of the thread that ran it.
    private func run(_ threads: BlockingThreads) async throws -> String {
        let thread = Log<Result<String, any Error>>()
        try threads.run { thread.append(Result { try Self.thread() }) }
        return try #require(await thread.first { _ in true }).get()
    }

    private static func thread() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    }

    @Test func aThreadThatIsDoneIsUsedAgain() async throws {
        let threads = BlockingThreads(patience: .seconds(3600))
        let first = try await run(threads)
        for _ in 0..<100 {
            #expect(await eventually { threads.waitingCount == 1 })
            #expect(try await run(threads) == first)
        }
    }

    /// However many pieces of work block, none waits for another.
    @Test func workThatBlocksDelaysNoOther() async throws {
        let threads = BlockingThreads(patience: .milliseconds(100))
        let (begun, ended) = (Log<Void>(), Log<Void>())
        let goOn = DispatchSemaphore(value: 0)
        for _ in 0..<100 {
            try threads.run {
                begun.append(())
                goOn.wait()
                ended.append(())
            }
        }
        #expect(await begun.reach { $0.count == 100 })
        for _ in 0..<100 { goOn.signal() }
        #expect(await ended.reach { $0.count == 100 })
        #expect(threads.waitingCount <= 4)
    }

    @Test func aThreadThatIsNotUsedEnds() async throws {
        let threads = BlockingThreads(patience: .milliseconds(10))
        let thread = try await run(threads)
        #expect(await eventually { !FileManager.default.fileExists(atPath: "/proc/\(thread)") })
        #expect(threads.waitingCount == 0)
        _ = try await run(threads)
    }

    /// A thread may be given work just as it ends: pauses about as long as the threads' patience make this likely.
    @Test func noWorkIsLostWhereThreadsEnd() async throws {
        try await blocking {
            let threads = BlockingThreads(patience: .microseconds(100))
            let done = DispatchSemaphore(value: 0)
            for round in 0..<5_000 {
                try threads.run { done.signal() }
                try #require(done.wait(timeout: .now() + Duration.testDeadline.dispatchInterval) == .success)
                let end = ContinuousClock.now + .microseconds(100 + round % 100)
                while ContinuousClock.now < end {}
            }
        }
    }

    /// Also while the thread waits for more work.
    @Test func whatWorkHoldsIsReleasedOnceItHasEnded() async throws {
        final class Held: Sendable {}
        let threads = BlockingThreads(patience: .seconds(3600))
        for _ in 0..<2 {
            weak var held: Held?
            let ended = Gate()
            do {
                let new = Held()
                held = new
                try threads.run { withExtendedLifetime(new) { ended.open() } }
            }
            #expect(await ended.opened())
            #expect(await eventually { held == nil })
        }
    }

    /// The thread is about to be free, so the work that it hands in waits for it.
    @Test func whereThereIsNoOtherThreadWorkIsHandedOnToItsOwn() async throws {
        let isFirst = Guarded(true)
        let threads = BlockingThreads(patience: .milliseconds(10)) { work throws(Errno) in
            if !isFirst.withLock({ exchange(&$0, with: false) }) { throw .tooManyOpenFiles }
            try Thread.spawn(named: "only", work)
        }
        let told = Log<(number: Int, thread: Result<String, any Error>)>()
        try threads.run {
            for number in 2...3 {
                do throws(Errno) {
                    try threads.run { told.append((number, Result { try Self.thread() })) }
                } catch {
                    Issue.record(error)
                }
            }
            told.append((1, Result { try Self.thread() }))
        }
        #expect(await told.reach { $0.count == 3 })
        #expect(told.elements.map(\.number) == [1, 2, 3])
        #expect(Set(try told.elements.map { try $0.thread.get() }).count == 1)
        // Without any thread, `run` has to throw.
        #expect(await eventually { threads.count == 0 })
        #expect(throws: Errno.tooManyOpenFiles) { try threads.run {} }
    }

    /// Other tests use the same threads, and on a busy machine a thread may have ended before the next call, but hardly
    /// every time.
    @Test func awaitedCallsMakeNoThreadEach() async throws {
        let queue = CallQueue()
        var threads = (queued: Set<String>(), direct: Set<String>())
        let isQueuedUsedAgain = try await eventually {
            let thread = try await BlockingCall.run(in: queue) { _, turn in
                defer { turn.release() }
                return try Self.thread()
            }
            return !threads.queued.insert(thread).inserted
        }
        #expect(isQueuedUsedAgain)
        let isDirectUsedAgain = try await eventually {
            let thread = try await BlockingCall.run { try Self.thread() }
            return !threads.direct.insert(thread).inserted
        }
        #expect(isDirectUsedAgain)
    }
}
