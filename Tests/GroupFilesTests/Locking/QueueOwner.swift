import Dispatch
import GroupFiles
import SystemCalls

/// An actor for which a test decides which job runs next.
actor QueueOwner {
    private final class QueueExecutor: SerialExecutor {
        /// What happens to a job that is to run late.
        enum Late {
            case none, next
            case held(UnownedJob)
        }

        let queue = DispatchQueue(label: "owner")
        let late = Guarded(Late.none)
        let count = Guarded(0)

        func enqueue(_ job: consuming ExecutorJob) {
            count.withLock { $0 += 1 }
            let job = UnownedJob(job)
            late.withLock { late in
                if case .next = late { late = .held(job) } else { run(job) }
            }
        }

        func letGo() {
            late.withLock { late in
                if case .held(let job) = late { run(job) }
                late = .none
            }
        }

        private func run(_ job: UnownedJob) {
            queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// How many jobs the actor has been given.
    nonisolated var jobCount: Int { executor.count.withLock { $0 } }
    /// Has the actor's queue run `work` after the jobs that it has been given.
    nonisolated func runAfterJobs(_ work: @escaping @Sendable () -> Void) { executor.queue.async(execute: work) }

    /// Runs the next job only after `letGo()`.
    nonisolated func holdTheNextJob() { executor.late.withLock { $0 = .next } }
    nonisolated func letGo() { executor.letGo() }

    func run(_ body: @Sendable (isolated QueueOwner) async throws -> Void) async rethrows { try await body(self) }

    /// Updates the file; the body enqueues `next` on the actor, to run after it.
    func add(to file: GroupFile<Int>, next: @escaping @Sendable () -> Void) async throws {
        try await file.update { value in
            executor.queue.async(execute: next)
            value += 1
        }
    }

    /// Updates the file, and lets `next` run on the actor before the body can begin.
    func addLater(to file: GroupFile<Int>, after next: @escaping @Sendable () -> Void) async throws {
        executor.queue.async(execute: next)
        try await file.update { $0 += 1 }
    }

    /// Makes the call, and lets `next` run on the actor before it has returned.
    func callLater(
        _ call: @Sendable (isolated QueueOwner) async throws -> Void, after next: @escaping @Sendable () -> Void
    ) async throws {
        executor.queue.async(execute: next)
        try await call(self)
    }
}
