import Dispatch

/// Runs code that waits, on a thread that may wait: tests share two cooperative threads, and one that blocks there holds
/// up all the others. It stays in its task, so that what it finds is told of its test.
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
