import Dispatch
import GroupFiles

/// An actor of whose jobs it is known which one comes next.
actor QueueOwner {
    private final class QueueExecutor: SerialExecutor {
        let queue = DispatchQueue(label: "owner")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func run(_ body: @Sendable (isolated QueueOwner) async throws -> Void) async rethrows { try await body(self) }

    /// Updates the file, and within that lets `next` follow on the actor.
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
