import Dispatch
import SystemCalls

/// Threads for work that may block for as long as it likes: each has one of its own.
///
/// 1. Work *runs* on a thread that waits for some, or on a new one.
/// 2. A thread that has done its work *waits* for more: creating one takes longer than most of the work.
/// 3. It *ends* if none comes in time, or if enough others wait.
///
/// In a forked child none of the threads is there, and the lock may be held for ever: work has a new thread there.
final class BlockingThreads: Sendable {
    typealias Work = @Sendable () -> Void

    private final class Waiter: Sendable {
        /// Signalled once there is work, while it waits for some.
        let wake = DispatchSemaphore(value: 0)
        private let work: Guarded<Work?>

        init(_ first: @escaping Work) {
            work = Guarded(first)
        }

        func give(_ next: @escaping Work) {
            work.withLock { $0 = next }
            wake.signal()
        }

        func take() -> Work? { work.withLock { $0.take() } }
    }

    static let shared = BlockingThreads(patience: .milliseconds(500))

    private static let mostWaiting = 4

    /// How long a thread waits for work.
    private let patience: DispatchTimeInterval
    /// The one that has waited longest is last in line, so that those that are not needed end.
    private let waiting = Guarded<[Waiter]>([])

    init(patience: DispatchTimeInterval) {
        self.patience = patience
    }

    /// How many threads wait for work.
    var waitingCount: Int { waiting.withLock(\.count) }

    /// Fails if there is no thread for it. What `work` holds is released once it has ended.
    func run(_ work: @escaping Work) throws(Errno) {
        CurrentProcess.watchForFork()
        if !CurrentProcess.isForked, let waiter = waiting.withLock({ $0.popLast() }) { return waiter.give(work) }
        let waiter = Waiter(work)
        try Thread.spawn(named: "group-files/asy") { [self] in
            repeat {
                while let work = waiter.take() { work() }
            } while !CurrentProcess.isForked && hasMoreWork(waiter)
        }
    }

    /// Waits for more work; false if none has come.
    private func hasMoreWork(_ waiter: Waiter) -> Bool {
        let mayWait = waiting.withLock { waiting in
            if waiting.count == Self.mostWaiting { return false }
            waiting.append(waiter)
            return true
        }
        if !mayWait { return false }
        if waiter.wake.wait(timeout: .now() + patience) == .success { return true }
        let isForgotten = waiting.withLock { waiting in
            guard let index = waiting.firstIndex(where: { $0 === waiter }) else { return false }
            waiting.remove(at: index)
            return true
        }
        // Else it has just been given work, and is being woken.
        if !isForgotten { waiter.wake.wait() }
        return !isForgotten
    }
}
