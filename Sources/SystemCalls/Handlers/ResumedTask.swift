import CSystemCalls

/// A task that the calling thread resumes, and then runs itself.
///
/// A task is otherwise run by a thread of Swift's pool, which has to be woken first: that takes longer than all else that
/// happens between a change and the loop that waits for it. The runtime's only means against that is the hook by which a
/// program can replace the global executor. It is installed for the moment in which the task is resumed, and hands on
/// all others. A program that uses the hook itself keeps it: its tasks then go where it wants them.
///
/// 1. A thread *promises*, once, to run what it keeps.
/// 2. In something that it does, it *resumes* a task, and keeps it.
/// 3. When it has done that, and nothing of it is left on its stack, it *runs* the task, until that suspends or has ended.
///
/// At most eight threads run such tasks at once: a task may go on for ever.
package enum ResumedTask {
    /// From now on the calling thread calls ``runKept()`` after all that it does.
    package static func promiseToRunKept() { cs_promise_to_run_kept() }

    /// Resumes the task, and keeps it for the calling thread. But one that belongs elsewhere, to the main actor or an
    /// executor of its own, goes on there, and one that this thread cannot keep goes on in Swift's pool.
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
