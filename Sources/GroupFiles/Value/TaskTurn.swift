import FileEvents
import Synchronization
import SystemCalls

/// Lets in one task after the other, first come, first served: those that wait take no thread.
///
/// 1. A task *takes* the turn; while another one has it, it is suspended in the queue.
/// 2. If it is cancelled there, or its time runs out, it *leaves* the queue.
/// 3. The task that has the turn *gives* it to the first in the queue.
///
/// Whoever takes a task out of the queue resumes it, and nobody else does: one that is cancelled in the instant in which it
/// is given the turn has it, and gives it on.
final class TaskTurn: Sendable {
    /// The turn of one task, until it *ends*; or, where the task was cancelled and has *abandoned* a thread that still works
    /// for it, until nobody holds this any more.
    final class Permit: Sendable {
        /// What waiting for the turn has left of the time to wait.
        let remaining: Duration?
        private let turn: TaskTurn
        private let isAbandoned = Atomic(false)
        private let hasEnded = Atomic(false)

        fileprivate init(_ turn: TaskTurn, remaining: Duration?) {
            self.turn = turn
            self.remaining = remaining
        }

        deinit {
            if !hasEnded.load(ordering: .acquiring) { turn.give() }
        }

        func abandon() { isAbandoned.store(true, ordering: .releasing) }

        /// By the task, before it returns: a thread that has worked for it may hold this for a moment longer, and whoever
        /// does not wait at all shall find the turn free.
        func end() {
            if isAbandoned.load(ordering: .acquiring) { return }
            if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { turn.give() }
        }
    }

    struct TimedOut: Error {}

    private enum Outcome {
        case given, cancelled, timedOut
    }

    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        /// Where it is not, the queue is empty.
        var isTaken = false
        var queue: [Waiter] = []
        var lastNumber: UInt64 = 0
    }

    /// Nothing is called under it: tasks are resumed after it.
    private let state = Guarded(State())

    /// How many tasks wait.
    var waiterCount: Int { state.withLock(\.queue.count) }
    var isFree: Bool { state.withLock { !$0.isTaken } }

    /// Suspends the task until it is its turn.
    ///
    /// - Throws: ``TimedOut``; `CancellationError`, if the task is cancelled while it waits.
    nonisolated(nonsending) func take(timeout: Duration? = nil) async throws -> Permit {
        let number = state.withLock { state -> UInt64? in
            if !state.isTaken {
                state.isTaken = true
                return nil
            }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return Permit(self, remaining: timeout) }
        let deadline = Moment.after(timeout)
        let alarm = deadline.map { EventLoop.shared.schedule(at: $0) { [self] in leave(number, .timedOut) } }
        defer { if let alarm { EventLoop.shared.cancel(alarm) } }
        switch await wait(number, until: deadline) {
        case .given: return Permit(self, remaining: deadline.map { max($0 - .now, .zero) } ?? timeout)
        case .cancelled: throw CancellationError()
        case .timedOut: throw TimedOut()
        }
    }

    private nonisolated(nonsending) func wait(_ number: UInt64, until deadline: Moment?) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Outcome? in
                    if !state.isTaken {
                        state.isTaken = true
                        return .given
                    }
                    // Whoever was to take us out of the queue may have come before we were in it.
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

    private func give() {
        let next = state.withLock { state -> Waiter? in
            if state.queue.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.queue.removeFirst()
        }
        next?.continuation.resume(returning: .given)
    }
}
