import FileEvents
import Synchronization
import SystemCalls

/// A mutex of tasks, first come, first served: tasks that wait for it block no thread, and the one that has it may
/// suspend.
///
/// 1. A task *acquires* it; while another one has it, the task is suspended in the queue.
/// 2. If the task is cancelled there, or its time runs out, it *leaves* the queue.
/// 3. The task that has the mutex *releases* it: the first in the queue has it then.
///
/// Only the code that takes a task out of the queue resumes it: a task that is cancelled at the instant at which it
/// gets the mutex has it, and releases it.
final class AsyncMutex: Sendable {
    /// One task has the mutex, until it *releases* this. If the task was cancelled and has *abandoned* a thread that
    /// still works for it, then until nobody holds a reference to this any more.
    final class Permit: Sendable {
        /// What is left of the time to wait for the lock after waiting for the mutex.
        let remaining: Duration?
        private let mutex: AsyncMutex
        private let isAbandoned = Atomic(false)
        private let isReleased = Atomic(false)

        fileprivate init(_ mutex: AsyncMutex, remaining: Duration?) {
            self.mutex = mutex
            self.remaining = remaining
        }

        deinit {
            if !isReleased.load(ordering: .acquiring), !CurrentProcess.isForked { mutex.release() }
        }

        func abandon() { isAbandoned.store(true, ordering: .releasing) }

        /// Called once the work is done, in any case before the task returns: a thread that has worked for it may hold
        /// this for a moment longer, and a caller that does not wait at all must find the mutex free.
        func release() {
            if isAbandoned.load(ordering: .acquiring) { return }
            if !isReleased.exchange(true, ordering: .acquiringAndReleasing) { mutex.release() }
        }
    }

    struct TimedOut: Error {}

    private enum Outcome {
        case acquired, cancelled, timedOut
    }

    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        /// If false, the queue is empty.
        var isLocked = false
        var queue: [Waiter] = []
        var lastNumber: UInt64 = 0
    }

    /// Nothing is called under it: tasks are resumed after it.
    private let state = Guarded(State())

    /// How many tasks wait.
    var waiterCount: Int { state.withLock(\.queue.count) }
    var isFree: Bool { state.withLock { !$0.isLocked } }

    /// Suspends the task until it has the mutex.
    ///
    /// - Throws: ``TimedOut``; `CancellationError`, if the task is cancelled while it waits.
    nonisolated(nonsending) func acquire(timeout: Duration? = nil) async throws -> Permit {
        let number = state.withLock { state -> UInt64? in
            if !state.isLocked {
                state.isLocked = true
                return nil
            }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return Permit(self, remaining: timeout) }
        let deadline = Moment.after(timeout)
        let alarm = deadline.map { ThreadPool.shared.schedule(at: $0) { [self] in leave(number, .timedOut) } }
        defer { if let alarm { ThreadPool.shared.cancel(alarm) } }
        switch await wait(number, until: deadline) {
        case .acquired: return Permit(self, remaining: deadline.map { max($0 - .now, .zero) } ?? timeout)
        case .cancelled: throw CancellationError()
        case .timedOut: throw TimedOut()
        }
    }

    private nonisolated(nonsending) func wait(_ number: UInt64, until deadline: Moment?) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Outcome? in
                    if !state.isLocked {
                        state.isLocked = true
                        return .acquired
                    }
                    // The cancellation, or the alarm, may have come before we were in the queue.
                    if Task.isCancelled { return .cancelled }
                    if let deadline, deadline <= .now { return .timedOut }
                    state.queue.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            leave(number, .cancelled)
        }
    }

    private func leave(_ number: UInt64, _ outcome: Outcome) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.queue.firstIndex(where: { $0.number == number }) else { return nil }
            return state.queue.remove(at: index)
        }
        waiter?.continuation.resume(returning: outcome)
    }

    private func release() {
        let next = state.withLock { state -> Waiter? in
            if state.queue.isEmpty {
                state.isLocked = false
                return nil
            }
            return state.queue.removeFirst()
        }
        next?.continuation.resume(returning: .acquired)
    }
}
