import SystemCalls

/// Runs each job of a task on a thread of its own.
///
/// The usual threads come from libdispatch, which needs a file descriptor for them, and ends the process if it gets
/// none.
final class ThreadPerJobExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedTaskExecutor()
        do throws(Errno) {
            // The task releases its executor when it ends, which is within this call.
            try Thread.spawn(named: "work") { [self] in
                withExtendedLifetime(self) { unsafe job.runSynchronously(on: executor) }
            }
        } catch {
            unsafe job.runSynchronously(on: executor)
        }
    }
}
