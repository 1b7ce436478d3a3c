import SystemCalls

/// Threads for work that may block for as long as it likes, and holds up no other work.
///
/// 1. Work *runs* on a thread that waits for work, or on a new one. If no thread can be created, work that one of these
///    threads handed on runs on that very thread, once the thread has done its own.
/// 2. A thread that has done its work *waits* for more: creating one takes longer than most of the work.
/// 3. A thread *ends* if no work comes in time, or if enough other threads wait.
///
/// In a forked child none of the threads exists, and the lock may be held for ever: there all work gets a new thread.
final class BlockingThreads: Sendable {
    typealias Work = @Sendable () -> Void

    /// A thread, and the work that it has been given.
    private final class Worker: Sendable {
        /// Signalled when the thread is given work while it waits.
        let wake = Semaphore()
        private let work: Guarded<[Work]>

        init(_ first: @escaping Work) {
            work = Guarded([first])
        }

        func add(_ next: @escaping Work) { work.withLock { $0.append(next) } }
        func take() -> Work? { work.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    private struct State {
        /// The thread that came last gets the next work, so that threads that are not needed end.
        var waiting: [Worker] = []
        var all: [Thread.ID: Worker] = [:]
    }

    static let shared = BlockingThreads()

    private static let mostWaiting = 4

    /// How long a thread waits for work.
    private let patience: Duration
    private let spawn: @Sendable (@escaping Work) throws(Errno) -> Void
    /// Guards all that changes; work does so itself.
    private let state = Guarded(State())

    init(
        patience: Duration = .milliseconds(500),
        spawn: @escaping @Sendable (@escaping Work) throws(Errno) -> Void = { work throws(Errno) in
            try Thread.spawn(named: "group-files/asy", work)
        }
    ) {
        self.patience = patience
        self.spawn = spawn
    }

    /// How many threads there are.
    var count: Int { state.withLock(\.all.count) }
    /// How many of them wait for work.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Runs `work` on one of the threads; fails if there is none for it. What `work` holds is released once it has
    /// ended. Work that hands on other work must not wait for it: both may have to run on one thread.
    func run(_ work: @escaping Work) throws(Errno) {
        CurrentProcess.watchForFork()
        if !CurrentProcess.isForked, let worker = state.withLock({ $0.waiting.popLast() }) {
            worker.add(work)
            worker.wake.signal()
            return
        }
        let worker = Worker(work)
        do throws(Errno) {
            try spawn { [self] in serve(worker) }
        } catch {
            guard !CurrentProcess.isForked, let own = state.withLock({ $0.all[Thread.id] }) else { throw error }
            own.add(work)
        }
    }

    private func serve(_ worker: Worker) {
        let id = Thread.id
        if !CurrentProcess.isForked { state.withLock { $0.all[id] = worker } }
        repeat {
            while let work = worker.take() { work() }
        } while !CurrentProcess.isForked && hasMoreWork(worker)
        if !CurrentProcess.isForked { state.withLock { $0.all[id] = nil } }
    }

    /// Waits for more work; false if no work has come.
    private func hasMoreWork(_ worker: Worker) -> Bool {
        let mayWait = state.withLock { state in
            if state.waiting.count == Self.mostWaiting { return false }
            state.waiting.append(worker)
            return true
        }
        if !mayWait { return false }
        if worker.wake.wait(until: .after(patience)) { return true }
        let isForgotten = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === worker }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        // Otherwise the thread has just been given work, and is being woken.
        if !isForgotten { worker.wake.wait() }
        return !isForgotten
    }
}
