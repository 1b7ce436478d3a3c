import SystemCalls

/// Which thread does what in the ``ThreadPool``: decides, and leaves the acting to it. Guarded by the pool's lock.
struct ThreadPoolState {
    /// How long a thread may be in its jobs, and a job may wait, before another thread helps: nanoseconds. An event may
    /// wait for both in turn, and for the threads to wake up, within the 10 ms that are promised.
    static let stuckAfter: Int64 = 4_000_000
    /// The same while jobs are known to block: the next one may block as well, whoever waits may have to wait again
    /// after the reader has been replaced, and starting threads for all jobs that block takes time, too.
    static let hurriedAfter = stuckAfter / 4
    /// The least time until the next look for waiting jobs: if many wait, they are not checked one by one. Nanoseconds.
    private static let leastPause = stuckAfter / 8
    /// How long a thread waits for jobs that come from the program's threads, before it ends.
    static let parksFor = Duration.milliseconds(500)
    /// All but two of them may be blocked in handlers, and the rest goes on: twice as many as promised.
    private static let mostThreads = 66
    /// How many threads may be on their way at once to jobs that have waited for too long. Each of them calls the next
    /// when it comes: if the jobs are short, the first few do them all, and the others would only be in their way.
    private static let mostOnTheirWay = 2
    /// How many threads besides these may do what is due while all of these are in jobs.
    private static let mostSpare = 2

    final class PoolThread: Sendable {
        let wake = Semaphore()
    }

    /// A thread that has to come. The caller wakes or creates it outside of the lock.
    enum Called {
        case parked(PoolThread)
        /// It is to be created; ``couldNotCome(_:)`` if that fails.
        case new(PoolThread)
    }

    enum Task {
        case read(any EventSource)
        case run(ThreadPool.Job)
        case park
        case end
    }

    /// What the reader of a source does once it has read or run something.
    enum ReaderTask {
        case run(ThreadPool.Job)
        case read
        /// The source was taken from it.
        case stop
    }

    private struct Reading {
        let thread: PoolThread
        let source: any EventSource
        /// When it began the first of the jobs since it last read.
        var jobSince: Moment?
        /// Whether the source was taken from a stuck thread and has not been read since: reading comes before jobs.
        var isOverdue: Bool
    }

    var jobs = JobQueue()
    /// They run before all others: what events wait for must not wait for handlers.
    var urgentJobs = JobQueue()
    var deadlines = DeadlineQueue()
    /// When the alarm rings.
    private(set) var armed: Moment?
    /// There is a supervisor while there is an alarm.
    private(set) var alarm: Alarm?
    private var pace = SupervisorPace()
    /// Whether a reader was found stuck since the last time that only readers had something to do.
    private var isHurried = false
    /// Sources that no thread reads at the moment.
    private var unread: [any EventSource] = []
    private var holders = 0
    private var threads = 0
    private var spareThreads = 0
    /// Whether the last attempt to create a thread failed.
    private var wasRefused = false
    private var parked: [PoolThread] = []
    /// Threads that have been called and have not arrived yet.
    private var onTheirWay: [PoolThread] = []
    /// One for each source: there are few.
    private var readings: [Reading] = []

    var isNeeded: Bool { !unread.isEmpty || !readings.isEmpty || holders > 0 || hasJobs || !deadlines.isEmpty }

    var allSources: [any EventSource] { unread + readings.map(\.source) }
    var hasJobs: Bool { !jobs.isEmpty || !urgentJobs.isEmpty }

    private mutating func popJob() -> JobQueue.Waiting? { urgentJobs.popFirst() ?? jobs.popFirst() }

    private func firstJobSince(after moment: Moment) -> Moment? {
        guard let urgent = urgentJobs.firstSince(after: moment) else { return jobs.firstSince(after: moment) }
        return min(urgent, jobs.firstSince(after: moment) ?? urgent)
    }

    /// A source whose reader runs no job.
    var idleReading: (any EventSource)? { readings.first { $0.jobSince == nil }?.source }
    /// Whether nobody reads a source, for want of a thread.
    var lacksReader: Bool { wasRefused && !unread.isEmpty }
    private var mayHaveMoreThreads: Bool { threads < Self.mostThreads }
    /// Whether a thread can be called, so that looking at what waits is of use.
    private var mayCall: Bool { mayHaveMoreThreads || !parked.isEmpty }
    /// Threads that are running a job, or are on their way to look for one.
    var workers: Int { threads - readings.count - parked.count }

    mutating func add(_ source: any EventSource) { unread.append(source) }

    mutating func hold() { holders += 1 }
    mutating func release() { holders -= 1 }

    // MARK: Threads

    /// Calls a thread; nil if there are too many.
    mutating func call() -> Called? {
        if let thread = unpark() { return .parked(thread) }
        guard mayHaveMoreThreads else { return nil }
        let thread = PoolThread()
        threads += 1
        onTheirWay.append(thread)
        return .new(thread)
    }

    /// Calls a thread for what nobody does, or what has waited for too long at `now`, if more are wanted than are on
    /// their way.
    mutating func callHelper(now: Moment) -> Called? {
        guard onTheirWay.count < Self.mostOnTheirWay, wantedHelpers(now: now) > onTheirWay.count else { return nil }
        return call()
    }

    /// Whether a spare thread, which the caller has to create, is to do what is due: all others may be blocked until
    /// that is done, for example if they wait for a lock that is due to be given up now.
    mutating func callSpare() -> Bool {
        guard !mayHaveMoreThreads, parked.isEmpty, spareThreads < Self.mostSpare else { return false }
        spareThreads += 1
        return true
    }

    mutating func spareHasEnded() { spareThreads -= 1 }

    /// A thread that waits for jobs; the caller has to wake it.
    mutating func unpark() -> PoolThread? {
        guard let thread = parked.popLast() else { return nil }
        wasRefused = false
        onTheirWay.append(thread)
        return thread
    }

    /// False if the thread has been here before, and was not called again.
    mutating func arrive(_ thread: PoolThread) -> Bool {
        guard let index = onTheirWay.firstIndex(where: { $0 === thread }) else { return false }
        onTheirWay.remove(at: index)
        return true
    }

    /// Notes that a new thread was created, and is on its way.
    mutating func wasCreated() { wasRefused = false }

    /// Notes that the thread could not be created.
    mutating func couldNotCome(_ thread: PoolThread) {
        onTheirWay.removeAll { $0 === thread }
        threads -= 1
        wasRefused = true
    }

    /// What an idle thread does next.
    mutating func nextTask(of thread: PoolThread) -> Task {
        defer { if workers == 0 { isHurried = false } }
        // The thread has run a Swift task meanwhile, and is still the one that reads.
        if let reading = readings.first(where: { $0.thread === thread }) { return .read(reading.source) }
        // A thread that reads may block for ever: jobs come first if there is no supervisor to give them to another
        // thread.
        if alarm == nil, let next = popJob() { return .run(next.job) }
        if let source = unread.popLast() {
            readings.append(Reading(thread: thread, source: source, isOverdue: isHurried))
            return .read(source)
        }
        if let next = popJob() { return .run(next.job) }
        // One thread waits for jobs that come from the program's threads; more are needed only while jobs block.
        if isNeeded, parked.isEmpty {
            parked.append(thread)
            return .park
        }
        threads -= 1
        return .end
    }

    /// Lets a parked thread end. False if it is no longer parked.
    mutating func leave(_ thread: PoolThread) -> Bool {
        guard let index = parked.firstIndex(where: { $0 === thread }) else { return false }
        parked.remove(at: index)
        threads -= 1
        return true
    }

    mutating func nextJob(ofReader thread: PoolThread, now: Moment) -> ReaderTask {
        guard let index = readings.firstIndex(where: { $0.thread === thread }) else { return .stop }
        // The next job may block as well, and then the one after it, while nobody reads: other threads can run them.
        if exchange(&readings[index].isOverdue, with: false), mayCall { return .read }
        if let next = popJob() {
            // Counted from the first job since it read: many short jobs keep it from reading as one long job does.
            if readings[index].jobSince == nil { readings[index].jobSince = now }
            return .run(next.job)
        }
        readings[index].jobSince = nil
        return .read
    }

    mutating func endReading(on thread: PoolThread) { readings.removeAll { $0.thread === thread } }

    // MARK: The supervisor

    /// How long a job may wait, and a reader may be in its jobs: nanoseconds.
    private var patience: Int64 { isHurried ? Self.hurriedAfter : Self.stuckAfter }

    mutating func arm(_ alarm: Alarm, at moment: Moment) {
        self.alarm = alarm
        armed = moment
    }

    /// The supervisor waits for `alarm` from now on, which is not set.
    mutating func disarm(_ alarm: Alarm) {
        self.alarm = alarm
        armed = nil
    }

    /// True if the supervisor has to end.
    mutating func endSupervisorIfUnneeded() -> Bool {
        if isNeeded { return false }
        loseAlarm()
        return true
    }

    /// Gives up the alarm. The supervisor that waits for it, if any, ends as soon as it wakes up.
    mutating func loseAlarm() {
        armed = nil
        alarm = nil
    }

    /// When the supervisor has to check on what has begun, or waits, since `now`; nil if nothing can be stuck.
    mutating func firstLook(now: Moment) -> Moment? {
        let mayWait = mayCall && hasJobs
        guard mayWait || readings.contains(where: { $0.jobSince != nil }) else { return nil }
        pace.begin(now: now)
        return now.advanced(byNanoseconds: patience)
    }

    /// When the supervisor has to look again, after it has taken what was stuck at `now`.
    mutating func nextLook(now: Moment) -> Moment? {
        let later = now.advanced(byNanoseconds: Self.stuckAfter)
        var next = deadlines.next()
        if pace.look() || (mayCall && hasJobs) {
            next = min(next ?? later, later)
        }
        // What has lasted, or waited, for too long by now has been dealt with.
        if mayCall, let since = firstJobSince(after: now.advanced(byNanoseconds: -patience)) {
            let end = max(since.advanced(byNanoseconds: patience), now.advanced(byNanoseconds: Self.leastPause))
            next = min(next ?? end, end)
        }
        for reading in readings {
            guard let end = reading.jobSince?.advanced(byNanoseconds: patience) else { continue }
            next = min(next ?? end, end)
        }
        return next
    }

    /// Takes sources from readers that are stuck.
    mutating func takeFromStuckThreads(now: Moment) {
        let patience = patience
        readings.removeAll { reading in
            guard let since = reading.jobSince, since.advanced(byNanoseconds: patience) <= now else {
                return false
            }
            unread.append(reading.source)
            return true
        }
        if !unread.isEmpty { isHurried = true }
    }

    /// One for each source that nobody reads, even if no thread was found for it before, and one for each job that has
    /// waited for too long: each job may block, and the last one would wait for all of them in turn.
    func wantedHelpers(now: Moment) -> Int {
        let early = now.advanced(byNanoseconds: -patience)
        return unread.count + urgentJobs.count(since: early, most: Self.mostThreads)
            + jobs.count(since: early, most: Self.mostThreads)
    }
}
