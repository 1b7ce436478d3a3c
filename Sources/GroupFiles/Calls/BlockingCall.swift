import FileEvents
import SystemCalls

/// A blocking call that a task awaits: it runs on a thread of its own, and may be cancelled until it has the lock.
///
/// 1. It *waits* for its turn among the calls of its queue; its time may run out there.
/// 2. The work *runs* on a thread, because neither reading a file nor waiting for a lock may block a cooperative one.
/// 3. With the lock held it *begins* to work, unless it was cancelled; from then on it is too late to cancel it. If the
///    work has to be repeated, the call *waits* again, and may be cancelled again.
/// 4. A cancellation before that *resumes* the task with `CancellationError`, and the work releases the lock when it
///    gets it. The turn is not released before the work has ended, so that tasks that are cancelled one after the other
///    leave at most one thread behind, or two where other processes wait, too.
final class BlockingCall: Sendable {
    private enum Phase {
        case waiting, working, cancelled
    }

    private struct State {
        var phase = Phase.waiting
        /// True even if the cancellation came too late for the call: it then takes effect if the work has to wait once
        /// more.
        var isTaskCancelled = false
        /// Resumes the task; taken out by the code that resumes it.
        var cancel: (@Sendable () -> Void)?
        /// Ends the waiting for the lock.
        var interrupt: (@Sendable () -> Void)?
        /// Ends the waiting for the turn.
        var alarm: DeadlineQueue.Token?
        /// The task goes on, or is about to.
        var hasEnded = false
    }

    struct TimedOut: Error {}

    /// No thread can be made for the call.
    struct NoThread: Error {
        let error: Errno
    }

    /// When the call stops waiting for its turn and for the lock; nil means never.
    let deadline: Moment?
    /// Guards all that changes.
    private let state = Guarded(State())

    /// `timeout` is how long the call may wait for its turn and for the lock in all; nil means for ever.
    private init(timeout: Duration?) {
        deadline = .after(timeout)
    }

    /// What is left of the time to wait; nil means for ever.
    var remaining: Duration? { deadline.map { max($0 - .now, .zero) } }

    /// From here on the call can be cancelled, even if it has worked before; false if it was cancelled meanwhile, and
    /// nobody waits for the work.
    func beginWaiting() -> Bool {
        let (isOver, cancel) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if !state.isTaskCancelled {
                state.phase = .waiting
                return (false, nil)
            }
            state.phase = .cancelled
            return (true, state.cancel.take())
        }
        cancel?()
        return !isOver
    }

    /// From here on the call can no longer be cancelled; false if it has been, and nobody waits for the work.
    func beginWork() -> Bool {
        state.withLock { state in
            if state.phase == .cancelled { return false }
            state.phase = .working
            return true
        }
    }

    fileprivate func cancel() {
        let (cancel, interrupt) = state.withLock { state -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            state.isTaskCancelled = true
            guard state.phase == .waiting else { return (nil, nil) }
            state.phase = .cancelled
            defer { (state.cancel, state.interrupt) = (nil, nil) }
            return (state.cancel, state.interrupt)
        }
        interrupt?()
        cancel?()
    }

    /// Runs `body`, which waits for the lock. A cancellation calls `interrupt` to end that wait; if it came before,
    /// `interrupt` is called at once.
    func waitForLock<R, Failure: Error>(
        interrupt: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> R
    ) throws(Failure) -> R {
        let isOver = state.withLock { state in
            state.interrupt = interrupt
            return state.phase == .cancelled
        }
        if isOver { interrupt() }
        defer { state.withLock { $0.interrupt = nil } }
        return try body()
    }

    /// Installs the closure that a cancellation calls; true if the call was cancelled before.
    private func install(_ cancel: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.phase == .cancelled { return true }
            state.cancel = cancel
            return false
        }
    }

    /// Whether it was cancelled while it waited: nobody waits for its result.
    var isCancelled: Bool { state.withLock { $0.phase == .cancelled } }

    /// Whether somebody still waits for the work's result.
    private func finish() -> Bool {
        state.withLock { state in
            defer { state.cancel = nil }
            return state.phase != .cancelled
        }
    }

    private func setAlarm(_ ring: @escaping @Sendable () -> Void) {
        guard let deadline else { return }
        state.withLock { state in
            if !state.hasEnded { state.alarm = ThreadPool.shared.schedule(at: deadline, ring) }
        }
    }

    private var hasEnded: Bool { state.withLock(\.hasEnded) }

    private func end() {
        if deadline == nil { return }
        let alarm = state.withLock { state in
            state.hasEnded = true
            return state.alarm.take()
        }
        if let alarm { ThreadPool.shared.cancel(alarm) }
    }

    /// Waits for a turn in the queue, then runs `work` on a thread of the library, and suspends until the work has
    /// ended or the task was cancelled. `work` releases the turn, or hands it to other code that does.
    ///
    /// It enters the queue without leaving the caller's isolation, which the closure inherits because it uses the
    /// parameter.
    ///
    /// - Throws: What `work` throws; `CancellationError`; ``TimedOut``, if the time ran out in the queue; ``NoThread``.
    static func run<R: Sendable>(
        isolation: isolated (any Actor)? = #isolation, in queue: CallQueue, at place: CallQueue.Place? = nil,
        timeout: Duration? = nil,
        _ work: @escaping @Sendable (BlockingCall, CallQueue.Turn) throws -> R
    ) async throws -> R {
        let call = BlockingCall(timeout: timeout)
        let place = place ?? queue.newPlace()
        let scope = UpdateScope.current
        defer { call.end() }
        return try await withTaskCancellationHandler {
            _ = isolation
            return try await withCheckedThrowingContinuation { continuation in
                let isCancelled = call.install {
                    _ = queue.leave(place)
                    continuation.resume(throwing: CancellationError())
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                let entry = CallQueue.Call(place: place, isWithinUpdate: UpdateScope.isWithinAny) { turn in
                    let result = Result { try UpdateScope.resume(scope) { try work(call, turn) } }
                    if call.finish() { continuation.resume(with: result) }
                } fail: { error in
                    if call.finish() { continuation.resume(throwing: NoThread(error: error)) }
                }
                if queue.enter(entry, unless: { call.isCancelled }) {
                    call.setAlarm {
                        if queue.leave(place, unless: { call.hasEnded }), call.finish() {
                            continuation.resume(throwing: TimedOut())
                        }
                    }
                }
            }
        } onCancel: {
            call.cancel()
        }
    }

    /// Runs `work`, which has its turn and the lock, on a thread of the library, and suspends until the work has ended:
    /// it is too late for a cancellation. Begins without leaving the caller's isolation, because all other threads of
    /// the program may be blocked until that lock is free. Throws what `work` throws, or ``NoThread``.
    nonisolated(nonsending) static func run<R: Sendable>(
        _ work: @escaping @Sendable () throws -> R
    ) async throws -> R {
        let scope = UpdateScope.current
        return try await withCheckedThrowingContinuation { continuation in
            do throws(Errno) {
                try BlockingThreads.shared.run {
                    continuation.resume(with: Result { try UpdateScope.resume(scope, work) })
                }
            } catch {
                continuation.resume(throwing: NoThread(error: error))
            }
        }
    }
}
