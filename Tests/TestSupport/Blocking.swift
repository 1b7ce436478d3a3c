import Dispatch

/// Runs code that blocks on a thread that may block: tests share one cooperative thread for each processor, and one
/// that blocks there holds up all the others. The code stays in its task, so that its issues are recorded for its test.
package func blocking<R: Sendable>(_ body: @Sendable () throws -> R) async rethrows -> R {
    try await withTaskExecutorPreference(BlockingExecutor.shared) { try body() }
}

/// Runs a task's code on threads that no other test has. So the task does not wait for its turn among all tests each
/// time that it goes on, while what it has started keeps the processors busy.
package func apart<R: Sendable>(_ body: @Sendable () async throws -> R) async rethrows -> R {
    try await withTaskExecutorPreference(BlockingExecutor.shared, operation: body)
}

private final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()

    /// Each job has a serial queue, which has a thread as soon as it needs one: jobs of a concurrent queue, like those
    /// of the global queues, take the cooperative threads.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "blocking tests").async { [self] in
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
