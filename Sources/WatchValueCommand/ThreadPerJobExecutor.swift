import SystemCalls

/// Runs a task, each job of it on a thread of its own.
///
/// The usual threads come from libdispatch, which wants a descriptor for them, and ends the process where there is none.
final class ThreadPerJobExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedTaskExecutor()
        do throws(Errno) {
            // The task lets go of its executor as it ends, within this.
            try Thread.spawn(named: "work") { [self] in
                withExtendedLifetime(self) { unsafe job.runSynchronously(on: executor) }
            }
        } catch {
            unsafe job.runSynchronously(on: executor)
        }
    }
}
