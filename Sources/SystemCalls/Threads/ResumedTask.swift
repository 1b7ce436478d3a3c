import CSystemCalls

/// A task that the calling thread resumes, and then runs itself.
///
/// A task is otherwise run by a thread of Swift's pool, which has to be woken first: that takes longer than all else that
/// happens between a change and the loop that waits for it. The runtime's only means against that is the hook by which a
/// program can replace the global executor. It is installed when it is first needed, and leaves to the pool what other
/// threads resume. A program that uses the hook itself keeps it: its tasks then go where it wants them.
///
/// 1. A thread *promises*, once, to run what it keeps.
/// 2. In something that it does, it resumes a task, and *keeps* it.
/// 3. When it has done that, and nothing of it is left on its stack, it *runs* the task, until that suspends or has ended.
package enum ResumedTask {
    /// From now on the calling thread calls ``runKept()`` after all that it does.
    package static func promiseToRunKept() { cs_promise_to_run_kept() }

    /// Calls `resume`, which resumes one task at most and does nothing else. The task is kept for the calling thread; but
    /// one that belongs elsewhere, to the main actor or an executor of its own, goes on there, and one that this thread
    /// cannot keep, because it keeps another, or has promised nothing, goes on in Swift's pool.
    package static func keep(_ resume: () -> Void) {
        let keeps = cs_begin_keeping()
        resume()
        if keeps { cs_end_keeping() }
    }

    /// Runs the task that was kept, if there is one.
    package static func runKept() { cs_run_kept() }
}
