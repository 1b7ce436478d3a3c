import Dispatch

/// Runs code that blocks on a thread that may block: tests share two cooperative threads, and one that blocks there
/// holds up all the others. The code stays in its task, so that its issues are recorded for its test.
package func blocking<R: Sendable>(_ body: @Sendable () throws -> R) async rethrows -> R {
    try await withTaskExecutorPreference(BlockingExecutor.shared) { try body() }
}

private final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()

    private let queue = DispatchQueue(label: "blocking tests", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
