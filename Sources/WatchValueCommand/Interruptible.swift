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
        let outcome = Outcome<R>()
        try Failure.wrapping("make a thread", about: location.name) { () throws(Errno) in
            try Thread.spawn(named: "work") { [loop] in
                do throws(Failure) { outcome.set(.success(try work())) } catch { outcome.set(.failure(error)) }
                loop.wake()
            }
        }
        return try wait(for: outcome, onSignal: onSignal)
    }

    /// Changes a value in a task that a signal cancels. A change that can no longer be cancelled is waited for; a
    /// second signal ends the process at once.
    func change(_ location: Location, _ work: @escaping @Sendable () async throws -> Void) throws(Failure) {
        let outcome = Outcome<Void>()
        let task = Task(executorPreference: ThreadPerJobExecutor()) { [loop] in
            do {
                outcome.set(.success(try await work()))
            } catch let error as GroupFileError {
                outcome.set(.failure(Failure(error, about: location.name)))
            } catch {
                outcome.set(.failure(.signalled(.interrupt)))  // Cancelled; the signal that did it is thrown below.
            }
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
        for outcome: Outcome<R>, onSignal: (Signal, _ wholeGroup: Bool) throws(Failure) -> Void
    ) throws(Failure) -> R {
        while true {
            if let result = outcome.get() { return try result.get() }
            if case .ended(let signal, let wholeGroup) = try loop.wait(until: nil) { try onSignal(signal, wholeGroup) }
        }
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    private let result = Guarded<Result<Value, Failure>?>(nil)

    func set(_ result: Result<Value, Failure>) {
        self.result.withLock { $0 = result }
    }

    func get() -> Result<Value, Failure>? { result.withLock { $0 } }
}
