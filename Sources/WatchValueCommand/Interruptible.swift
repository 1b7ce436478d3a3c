import GroupFiles
import SystemCalls

/// Work that may block, done on another thread while the main one waits for signals.
struct Interruptible {
    private let loop: MainLoop

    init() throws(Failure) {
        loop = try MainLoop()
    }

    /// Runs work that leaves nothing half done: a signal ends the process at once.
    func run<R: Sendable>(
        about location: Location, _ work: @escaping @Sendable () throws(Failure) -> R
    ) throws(Failure) -> R {
        try run(about: location, work) { signal, _ throws(Failure) in throw .signalled(signal) }
    }

    /// Runs work that can end by itself: `onSignal` asks it to, or throws to end the process at once.
    func run<R: Sendable>(
        about location: Location, _ work: @escaping @Sendable () throws(Failure) -> R,
        onSignal: (Signal, _ wholeGroup: Bool) throws(Failure) -> Void
    ) throws(Failure) -> R {
        let outcome = Guarded<Result<R, Failure>?>(nil)
        try Failure.wrapping("make a thread", about: location.name) { () throws(Errno) in
            try Thread.spawn(named: "work") { [loop] in
                let result = Result { () throws(Failure) in try work() }
                outcome.withLock { $0 = result }
                loop.wake()
            }
        }
        return try wait(for: outcome, onSignal: onSignal)
    }

    /// Changes a value in a task that a signal cancels. A change that can no longer be cancelled is waited for; a
    /// second signal ends the process at once.
    func change(_ location: Location, _ work: @escaping @Sendable () async throws -> Void) throws(Failure) {
        let outcome = Guarded<Result<Void, Failure>?>(nil)
        let task = Task(executorPreference: ThreadPerJobExecutor()) { [loop] in
            let result: Result<Void, Failure>
            do {
                result = .success(try await work())
            } catch let error as GroupFileError {
                result = .failure(Failure(error, about: location.name))
            } catch {
                result = .failure(.signalled(.interrupt))  // Cancelled; the signal that did it is thrown below.
            }
            outcome.withLock { $0 = result }
            loop.wake()
        }
        var first: Signal?
        let result = Result { () throws(Failure) in
            try wait(for: outcome) { signal, _ throws(Failure) in
                if first != nil { throw .signalled(signal) }
                first = signal
                task.cancel()
            }
        }
        if let first { throw .signalled(first) }
        try result.get()
    }

    private func wait<R>(
        for outcome: borrowing Guarded<Result<R, Failure>?>,
        onSignal: (Signal, _ wholeGroup: Bool) throws(Failure) -> Void
    ) throws(Failure) -> R {
        while true {
            if let result = outcome.withLock({ $0 }) { return try result.get() }
            if case .ended(let signal, let wholeGroup) = try loop.wait(until: nil) { try onSignal(signal, wholeGroup) }
        }
    }
}
