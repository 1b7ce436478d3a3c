import SystemCalls

extension ThreadPool {
    /// Begins `jobs` one after the other, mostly on one thread. If one of them blocks, another thread goes on with the
    /// rest; if another thread has nothing to do, the next one may begin before the one before it has ended.
    func execute(inTurn jobs: [Job], isUrgent: Bool) {
        if jobs.isEmpty { return }
        let rest = Guarded(jobs[...])
        runInTurn(isUrgent) { rest.withLock { rest in rest.popFirst().map { ($0, rest.isEmpty) } } }
    }

    private func runInTurn(_ isUrgent: Bool, _ next: @escaping @Sendable () -> (job: Job, isLast: Bool)?) {
        let run: Job = { [self] in
            guard let (job, isLast) = next() else { return }
            // Queued before this one runs: if it blocks, another thread can take the rest.
            if !isLast { runInTurn(isUrgent, next) }
            job()
        }
        execute(run, isUrgent: isUrgent)
    }
}
