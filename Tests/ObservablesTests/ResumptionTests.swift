import Dispatch
import Glibc
import Observables
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// Where a task that waits for the next element continues if a thread of the executor publishes that element.
@Suite(.endsInTime) struct ResumptionTests {
    private let channel = Channel(0)

    @Test func aTaskGoesOnOnThePublishingThread() async throws {
        try await expectOneOfMany {
            let reading = Task.detached { [channel] in
                var reader = channel.makeReaderOfChanges()
                let element = await reader.next()
                #expect(element == 1)
                return Thread.id
            }
            let publisher = try await publish(1) { $0.runOnExecutor() }
            return await reading.value == publisher
        }
    }

    @Test func soDoesOneOfAnActor() async throws {
        actor Owner {
            func threadOfNext(_ channel: Channel<Int>) async -> Thread.ID {
                var reader = channel.makeReaderOfChanges()
                _ = await reader.next(isolation: self)
                assertIsolated()
                return Thread.id
            }
        }
        let owner = Owner()
        try await expectOneOfMany {
            let reading = Task.detached { [channel] in await owner.threadOfNext(channel) }
            let publisher = try await publish(1) { $0.runOnExecutor() }
            return await reading.value == publisher
        }
    }

    @Test func oneOfTheMainActorStaysThere() async throws {
        let reading = Task { @MainActor [channel] in
            var reader = channel.makeReaderOfChanges()
            _ = await reader.next()
            MainActor.assertIsolated()
            return Thread.id
        }
        let publisher = try await publish(1) { $0.runOnExecutor() }
        #expect(await reading.value != publisher)
    }

    @Test func oneWithAnExecutorOfItsOwnStaysThere() async throws {
        let executor = QueueExecutor()
        let reading = Task.detached(executorPreference: executor) { [channel] in
            var reader = channel.makeReaderOfChanges()
            _ = await reader.next()
            dispatchPrecondition(condition: .onQueue(executor.queue))
        }
        try await publish(1) { $0.runOnExecutor() }
        await reading.value
    }

    /// Only a few threads at once may run resumed tasks.
    @Test func whatGoesOnElsewhereTakesNoPlace() async throws {
        for _ in 0..<10 { try await oneWithAnExecutorOfItsOwnStaysThere() }
        try await aTaskGoesOnOnThePublishingThread()
    }

    /// A task that this thread resumes later, for example in a handler, continues elsewhere.
    @Test func noOtherTaskGoesOnThere() async throws {
        let other = Channel(0)
        let readings = [channel, other].map { channel in
            Task.detached {
                var reader = channel.makeReaderOfChanges()
                _ = await reader.next()
                return Thread.id
            }
        }
        try #require(await eventually { other.waiterCount == 1 })
        let publisher = try await publish(1) { ready in
            ready.runOnExecutor()
            ResumedTask.runKept()
            other.publish(1).run()
        }
        #expect(await readings[1].value != publisher)
    }

    /// An executor may run the resumed task at once. A task that the resumed one starts is not kept for the publishing
    /// thread.
    @Test func whatATaskStartsMeanwhileGoesOnElsewhere() async throws {
        let started = Log<Thread.ID>()
        Task.detached(executorPreference: InlineExecutor()) { [channel] in
            var reader = channel.makeReaderOfChanges()
            _ = await reader.next()
            Task.detached { started.append(Thread.id) }
        }
        let publisher = try await publish(1) { $0.runOnExecutor() }
        #expect(await started.first { _ in true } != publisher)
    }

    /// The program may look up the runtime's hook, and install its own.
    @Test func theHookOfTheRuntimeIsGivenBack() async throws {
        let reading = Task.detached { [channel] in
            var reader = channel.makeReaderOfChanges()
            _ = await reader.next()
        }
        try await publish(1) { $0.runOnExecutor() }
        await reading.value
        let address = UInt(bitPattern: unsafe dlsym(nil, "swift_task_enqueueGlobal_hook"))
        // Other tests may be about to resume a task, and have set the hook for that.
        #expect(
            await eventually {
                let hook = unsafe UnsafePointer<Atomic<UInt>>(bitPattern: address)
                return unsafe hook?.pointee.load(ordering: .relaxed) == 0
            })
    }

    @Test func noneGoesOnOnAThreadThatHasNotPromisedThat() async throws {
        let read = Log<Int?>()
        Task.detached { [channel] in
            var reader = channel.makeReaderOfChanges()
            read.append(await reader.next())
        }
        try #require(await eventually { channel.waiterCount == 1 })
        try Thread.spawn(named: "test.publisher") { [channel] in channel.publish(1).runOnExecutor() }
        #expect(await read.reach { $0 == [1] })
    }

    @Test func ofSeveralEachGoesOn() async throws {
        let readings = (0..<3).map { _ in
            Task.detached { [channel] in
                var reader = channel.makeReaderOfChanges()
                return await reader.next()
            }
        }
        try await publish(7, waiters: readings.count) { $0.runOnExecutor() }
        for reading in readings { #expect(await reading.value == 7) }
    }

    /// Other tests of this process may give the runtime's hook back at that very moment. Then the task goes to the pool
    /// instead.
    private func expectOneOfMany(_ attempt: () async throws -> Bool) async throws {
        for _ in 0..<50 where try await attempt() { return }
        Issue.record("no task went on on the thread that published")
    }

    /// Publishes on a new thread once this number of tasks wait. Returns that thread's id.
    @discardableResult
    private func publish(
        _ element: Int, waiters: Int = 1, _ run: @escaping @Sendable (ReadyList) -> Void
    ) async throws -> Thread.ID {
        try #require(await eventually { channel.waiterCount == waiters })
        let ended = Log<Thread.ID>()
        try Thread.spawn(named: "test.publisher") { [channel] in
            ResumedTask.promiseToRunKept()
            run(channel.publish(element))
            ResumedTask.runKept()
            ended.append(Thread.id)
        }
        return try #require(await ended.first { _ in true })
    }
}

private final class QueueExecutor: TaskExecutor {
    let queue = DispatchQueue(label: "test.tasks")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
}
