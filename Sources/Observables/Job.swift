/// Work that waits for a thread. A subscriber's slot is itself the job, so that handing it over allocates nothing.
@usableFromInline
package protocol Job: AnyObject, Sendable {
    /// Does the work on the calling thread. A job that has nothing to do any more returns at once.
    func run()
}

/// Something with threads of its own. `execute` returns without having run the job, and must call `run` once, later.
@usableFromInline
package protocol JobExecutor: AnyObject, Sendable {
    func execute(_ job: any Job)
}
