import Dispatch
import SystemCalls

/// Threads for work that may block for as long as it likes: each has one of its own.
///
/// 1. Work *runs* on a thread that waits for some, or on a new one; where none is to be had, on the thread that hands it
///    on, once that has done its own.
/// 2. A thread that has done its work *waits* for more: creating one takes longer than most of the work.
/// 3. It *ends* if none comes in time, or if enough others wait.
///
/// In a forked child none of the threads is there, and the lock may be held for ever: work has a new thread there.
final class BlockingThreads: Sendable {
    typealias Work = @Sendable () -> Void

    private final class Waiter: Sendable {
        /// Signalled once there is work, while it waits for some.
        let wake = DispatchSemaphore(value: 0)
        private let work: Guarded<[Work]>

        init(_ first: @escaping Work) {
            work = Guarded([first])
        }

        func add(_ next: @escaping Work) { work.withLock { $0.append(next) } }
        func take() -> Work? { work.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    private struct State {
        /// The one that has waited longest is last in line, so that those that are not needed end.
        var waiting: [Waiter] = []
        var all: [Thread.ID: Waiter] = [:]
    }

    static let shared = BlockingThreads(patience: .milliseconds(500))

    private static let mostWaiting = 4

    /// How long a thread waits for work.
    private let patience: DispatchTimeInterval
    private let spawn: @Sendable (@escaping Work) throws(Errno) -> Void
    private let state = Guarded(State())

    init(
        patience: DispatchTimeInterval,
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

    /// Fails if there is no thread for it. What `work` holds is released once it has ended. Work that calls this must not
    /// wait for what it hands on: its own thread may be the only one.
    func run(_ work: @escaping Work) throws(Errno) {
        CurrentProcess.watchForFork()
        if !CurrentProcess.isForked, let waiter = state.withLock({ $0.waiting.popLast() }) {
            waiter.add(work)
            waiter.wake.signal()
            return
        }
        let waiter = Waiter(work)
        do throws(Errno) {
            try spawn { [self] in serve(waiter) }
        } catch {
            guard !CurrentProcess.isForked, let own = state.withLock({ $0.all[Thread.id] }) else { throw error }
            own.add(work)
        }
    }

    private func serve(_ waiter: Waiter) {
        let id = Thread.id
        if !CurrentProcess.isForked { state.withLock { $0.all[id] = waiter } }
        repeat {
            while let work = waiter.take() { work() }
        } while !CurrentProcess.isForked && hasMoreWork(waiter)
        if !CurrentProcess.isForked { state.withLock { $0.all[id] = nil } }
    }

    /// Waits for more work; false if none has come.
    private func hasMoreWork(_ waiter: Waiter) -> Bool {
        let mayWait = state.withLock { state in
            if state.waiting.count == Self.mostWaiting { return false }
            state.waiting.append(waiter)
            return true
        }
        if !mayWait { return false }
        if waiter.wake.wait(timeout: .now() + patience) == .success { return true }
        let isForgotten = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        // Else it has just been given work, and is being woken.
        if !isForgotten { waiter.wake.wait() }
        return !isForgotten
    }
}
