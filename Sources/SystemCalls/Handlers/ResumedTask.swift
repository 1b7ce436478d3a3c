import CSystemCalls

/// A task that the calling thread resumes, and then runs itself.
///
/// A task is otherwise run by a thread of Swift's pool, which has to be woken first: that takes longer than all else
/// that happens between a change and the loop that waits for it. The runtime's only means against that is the hook by
/// which a program can replace the global executor. The hook is installed only while the task is being resumed, and
/// passes on all other tasks. A program that uses the hook itself keeps it: its tasks then go where the program wants
/// them.
///
/// 1. A thread *promises*, once, to run what it keeps.
/// 2. In the course of something that it does, it *resumes* a task, and keeps it.
/// 3. When that is done, and nothing of it is left on the stack, the thread *runs* the task until the task suspends or
///    ends.
///
/// At most eight threads run such tasks at once: a task may go on for ever.
package enum ResumedTask {
    /// From now on the calling thread calls ``runKept()`` after all that it does.
    package static func promiseToRunKept() { cs_promise_to_run_kept() }

    /// Resumes the task, and keeps it for the calling thread. But a task that belongs elsewhere, to the main actor or
    /// to an executor of its own, continues there, and a task that this thread cannot keep continues in Swift's pool.
    package static func resume(_ continuation: UnsafeContinuation<Void, Never>) {
        // A continuation is a pointer to its task, and so is the job that runs the task.
        let keeps = unsafe cs_begin_keeping(unsafeBitCast(continuation, to: UInt.self))
        unsafe continuation.resume()
        if keeps { cs_end_keeping() }
    }

    /// Whether the calling thread keeps a task.
    package static var isKept: Bool { cs_has_kept() }

    /// Runs the task that was kept, if there is one.
    package static func runKept() { cs_run_kept() }
}
