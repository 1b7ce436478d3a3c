import SystemCalls

/// A blocking call that a task awaits: it runs on a thread of its own, and may be cancelled until it has the lock.
///
/// 1. The work *runs* on a thread, because neither reading a file nor waiting for a lock may block a cooperative one.
/// 2. With the lock held it *begins* to work, unless it was cancelled; from then on it is too late for that. If the
///    work has to be repeated it *waits* again, and may be cancelled again.
/// 3. A cancellation before that *resumes* the task with `CancellationError`, and the work releases the lock when it
///    gets it.
final class BlockingCall: Sendable {
    private enum Phase {
        case waiting, working, cancelled
    }

    private struct State {
        var phase = Phase.waiting
        /// True even if the cancellation came too late; it takes effect if the work has to wait once more.
        var isCancelled = false
        /// Resumes the task; taken out by the code that resumes it.
        var cancel: (@Sendable () -> Void)?
        /// Ends the waiting for the lock.
        var interrupt: (@Sendable () -> Void)?
    }

    /// What is left of the time to wait for the lock; nil is for ever.
    let remaining: Duration?
    private let state = Guarded(State())

    private init(remaining: Duration?) {
        self.remaining = remaining
    }

    /// From here on it can be cancelled, even if it has worked before; false if it was cancelled meanwhile, and nobody
    /// waits for the work.
    func beginWaiting() -> Bool {
        let (isOver, cancel) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if !state.isCancelled {
                state.phase = .waiting
                return (false, nil)
            }
            state.phase = .cancelled
            return (true, state.cancel.take())
        }
        cancel?()
        return !isOver
    }

    /// From here on it can no longer be cancelled; false if it has been, and nobody waits for the work.
    func beginWork() -> Bool {
        state.withLock { state in
            if state.phase == .cancelled { return false }
            state.phase = .working
            return true
        }
    }

    fileprivate func cancel() {
        let (cancel, interrupt) = state.withLock { state -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            state.isCancelled = true
            guard state.phase == .waiting else { return (nil, nil) }
            state.phase = .cancelled
            defer { (state.cancel, state.interrupt) = (nil, nil) }
            return (state.cancel, state.interrupt)
        }
        interrupt?()
        cancel?()
    }

    /// Waits for the lock in `body`, which `interrupt` ends: at once, if the cancellation came before.
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

    /// Installs what a cancellation calls; true if that came before.
    private func install(_ cancel: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.phase == .cancelled { return true }
            state.cancel = cancel
            return false
        }
    }

    /// Whether somebody still waits for the work's result.
    private func finish() -> Bool {
        state.withLock { state in
            defer { state.cancel = nil }
            return state.phase != .cancelled
        }
    }

    /// Runs `work` on a thread of the library, and suspends until it has ended or the task was cancelled. The mutex is
    /// not released before the work has ended, so that tasks that are cancelled one after the other leave at most one
    /// thread.
    ///
    /// Not `isCancellable` if the lock is held already: the caller would release it while the work goes on. Then the work
    /// begins without leaving the caller's isolation, which the closure inherits because it uses the parameter: all other
    /// threads may be blocked, until that lock is free.
    static func run<R: Sendable>(
        isolation: isolated (any Actor)? = #isolation, holding permit: AsyncMutex.Permit, isCancellable: Bool = true,
        _ work: @escaping @Sendable (BlockingCall) throws -> R
    ) async throws -> R {
        let call = BlockingCall(remaining: permit.remaining)
        if !isCancellable { _ = call.beginWork() }
        let scope = UpdateScope.current
        return try await withTaskCancellationHandler {
            _ = isolation
            return try await withCheckedThrowingContinuation { continuation in
                let isCancelled = call.install {
                    permit.abandon()
                    continuation.resume(throwing: CancellationError())
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                do throws(Errno) {
                    try BlockingThreads.shared.run {
                        withExtendedLifetime(permit) {
                            let result = Result { try UpdateScope.resume(scope) { try work(call) } }
                            if call.finish() { continuation.resume(with: result) }
                        }
                    }
                } catch {
                    if call.finish() {
                        continuation.resume(
                            throwing: GroupFileError(error, path: nil, "make a thread to wait for the lock"))
                    }
                }
            }
        } onCancel: {
            call.cancel()
        }
    }
}
