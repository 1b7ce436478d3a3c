import Synchronization
package import SystemCalls

/// The library's threads: they read events, run jobs and meet deadlines, and a job that blocks holds up nothing else.
///
/// 1. A source is *read* by one thread, which delivers the events; that creates jobs.
/// 2. The same thread *drains* the jobs, so that a handler is called by the thread that read the event: no hop.
/// 3. The supervisor sleeps until the alarm rings, or until something is mounted, of which it notifies the sources. The
///    alarm rings within 4 ms after a job begins, twice more after the last one of many, and not at all when idle.
/// 4. If a job lasts longer, the supervisor *takes* the source from the thread that is stuck in it, and *gives* it, and
///    the waiting jobs, to another thread. The stuck thread helps again when its job returns. While all threads are in
///    jobs, a *spare* one does what is due.
/// 5. Threads *end* when nobody holds the pool any more; those that only wait for jobs, after half a second.
///
/// If a thread cannot be created, the supervisor tries again; if the supervisor itself cannot be, the next caller of
/// the pool does. In a forked child there are no threads, and the lock may be held for ever: nothing is done there.
package final class ThreadPool: Sendable {
    package typealias Job = @Sendable () -> Void

    package static let shared = ThreadPool()

    /// Guards everything that changes. Under it only the alarm is set, and the supervisor created. All other threads
    /// are created, and woken for work, outside of it: that takes so long that threads which run short jobs would stand
    /// still.
    let state = Guarded(ThreadPoolState())
    /// Whether something is due, or has to be watched over, but the supervisor's thread could not be created. Changed
    /// under the lock.
    let hasNoSupervisor = Atomic(false)

    /// For ``shared``; tests make others.
    init() {}

    /// Tries again to create the supervisor if it is missing, for callers that do not use the pool otherwise but rely
    /// on its threads. Costs one relaxed load if it is there.
    package func makeMissingSupervisor() {
        if !hasNoSupervisor.load(ordering: .relaxed) || CurrentProcess.isForked { return }
        state.withLock { makeMissingSupervisor(&$0) }
    }

    /// Whether the supervisor could not be created: until a caller has tried again, no deadline is met.
    package var lacksSupervisor: Bool { hasNoSupervisor.load(ordering: .relaxed) }

    /// Whether a source is not read, for want of a thread.
    var lacksReader: Bool { !CurrentProcess.isForked && state.withLock { $0.lacksReader } }

    /// Runs `job` on a thread of the pool, after the jobs before it have begun.
    package func execute(_ job: @escaping Job) {
        execute(job, isUrgent: false)
    }

    /// An urgent job runs before all that are not urgent, so that what events wait for does not wait for handlers.
    func execute(_ job: @escaping Job, isUrgent: Bool) {
        if CurrentProcess.isForked { return }
        let now = Moment.now
        let isOnPool = Thread.isMarked
        call { state in
            if isUrgent { state.urgentJobs.append(job, since: now) } else { state.jobs.append(job, since: now) }
            // A thread of the pool looks for jobs when it has finished its current one; the alarm covers it if it is
            // stuck.
            guard isOnPool || state.workers > 0 else { return state.call() }
            watchOver(&state, now: now)
            return nil
        }
    }

    /// Lets a thread of the pool read `source` until `readEvents` returns false.
    func read(_ source: any EventSource) {
        if CurrentProcess.isForked { return }
        call { state in
            state.add(source)
            return state.call()
        }
    }

    /// Lets a thread that has run a job wait for the next one, until ``release()``.
    package func hold() {
        if CurrentProcess.isForked { return }
        state.withLock { $0.hold() }
    }

    package func release() {
        if CurrentProcess.isForked { return }
        state.withLock { state in
            state.release()
            endIfUnneeded(&state)
        }
    }

    // MARK: Deadlines

    /// Runs `action` as a job at `moment`, or soon after; if it `isBrief`, in turn with others that are due then.
    @discardableResult
    package func schedule(
        at moment: Moment, isBrief: Bool = false, _ action: @escaping Job
    ) -> DeadlineQueue.Token {
        if CurrentProcess.isForked { return .never }
        return state.withLock { state in
            let token = state.deadlines.schedule(at: moment, isBrief: isBrief, action)
            arm(&state, moment)
            return token
        }
    }

    /// The action does not start any more; it may be running.
    package func cancel(_ token: DeadlineQueue.Token) {
        if CurrentProcess.isForked { return }
        // What the action holds is released outside of the lock.
        _ = state.withLock { state in
            let action = state.deadlines.cancel(token)
            endIfUnneeded(&state)
            return action
        }
    }

    // MARK: Threads

    private func runThread(_ thread: ThreadPoolState.PoolThread) {
        Thread.mark()
        ResumedTask.promiseToRunKept()
        var promptness = Promptness()
        while goOn(thread, &promptness) { ResumedTask.runKept() }
    }

    /// Does what comes next; false if the thread is to end. A task that a job has resumed goes on only after this
    /// returns, when nothing of the job is left and no source is held.
    private func goOn(_ thread: ThreadPoolState.PoolThread, _ promptness: inout Promptness) -> Bool {
        // In a child that a task or handler has forked, nothing is left to do, and the parent's events are not touched.
        if CurrentProcess.isForked { return false }
        let (task, isNew) = state.withLock { state in
            let isNew = state.arrive(thread)
            return (nextTask(&state, of: thread), isNew)
        }
        if isNew { callHelpers() }
        if case .read(let source) = task {
            read(source, on: thread, &promptness)
            return true
        }
        if promptness.isPrompt { Thread.setSlice(nanoseconds: nil) }
        promptness = Promptness()
        switch task {
        case .read: break
        case .run(let job): job()
        case .park:
            if !thread.wake.wait(until: .now + ThreadPoolState.parksFor) {
                if state.withLock({ $0.leave(thread) }) { return false }
                thread.wake.wait()  // It has just been unparked, and is being woken.
            }
        case .end: return false
        }
        return true
    }

    private func nextTask(_ state: inout ThreadPoolState, of thread: ThreadPoolState.PoolThread) -> ThreadPoolState.Task
    {
        let task = state.nextTask(of: thread)
        switch task {
        case .run: watchOver(&state, now: .now)
        case .read, .park: makeMissingSupervisor(&state)
        case .end: endIfUnneeded(&state)
        }
        return task
    }

    /// Reads and runs jobs in turn, until the source ends or is lost, or until a job has resumed a task that this
    /// thread has to run. Jobs come first, because some may be left from the last time, unless the source was taken
    /// from a stuck thread.
    private func read(
        _ source: any EventSource, on thread: ThreadPoolState.PoolThread, _ promptness: inout Promptness
    ) {
        var hasRead = false
        repeat {
            var isOfUse = false
            drain: while true {
                switch drain(thread) {
                case .aJob: isOfUse = true
                case .nothing: break drain
                case .theSourceIsLost: return
                }
                if ResumedTask.isKept { break drain }
            }
            if hasRead || isOfUse, promptness.noteWakeUp(isOfUse: isOfUse) {
                Thread.setSlice(nanoseconds: promptness.isPrompt ? Promptness.slice : nil)
            }
            if ResumedTask.isKept { return }
            hasRead = true
        } while source.readEvents()
        state.withLock { state in
            state.endReading(on: thread)
            endIfUnneeded(&state)
        }
    }

    private enum Drained { case aJob, nothing, theSourceIsLost }

    /// Runs the next job of a thread that has read events, if there is one.
    private func drain(_ thread: ThreadPoolState.PoolThread) -> Drained {
        let next = state.withLock { state in
            let now = Moment.now
            let next = state.nextJob(ofReader: thread, now: now)
            if case .run = next { watchOver(&state, now: now) } else { makeMissingSupervisor(&state) }
            return next
        }
        switch next {
        case .run(let job):
            job()
            return CurrentProcess.isForked ? .theSourceIsLost : .aJob
        case .read: return .nothing
        case .stop: return .theSourceIsLost  // It has been given to another thread meanwhile.
        }
    }

    /// Creates a thread, but first makes sure that forks are noticed: a child that is forked from now on does not have
    /// the thread.
    func spawn(named name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        CurrentProcess.watchForFork()
        try Thread.spawn(named: name, body)
    }

    /// Decides under the lock whether a thread has to come, and calls it outside of the lock. False if none was called,
    /// or none could be created.
    @discardableResult
    private func call(_ decide: (inout ThreadPoolState) -> ThreadPoolState.Called?) -> Bool {
        guard let called = state.withLock({ decide(&$0) }) else { return false }
        return make(called)
    }

    func make(_ called: ThreadPoolState.Called) -> Bool {
        switch called {
        case .parked(let thread): thread.wake.signal()
        case .new(let thread):
            do throws(Errno) {
                try spawn(named: "group-files") { [self] in runThread(thread) }
                state.withLock { $0.wasCreated() }
            } catch {
                // No thread can be created now: retried when the alarm rings.
                let reading = state.withLock { state in
                    state.couldNotCome(thread)
                    arm(&state, Moment.now.advanced(byNanoseconds: ThreadPoolState.stuckAfter))
                    return state.hasJobs ? state.idleReading : nil
                }
                // Until then, a thread that is reading does the jobs, if there is one; nothing else may ever wake it.
                reading?.wakeReader()
                return false
            }
        }
        return true
    }

    /// Calls threads for what nobody does, or what has waited for too long: a few at once, each of which calls the next
    /// one when it arrives. So jobs that block soon get a thread each, while jobs that do not block are all done by
    /// those few.
    func callHelpers() {
        while call({ $0.callHelper(now: .now) }) {}
    }
}
