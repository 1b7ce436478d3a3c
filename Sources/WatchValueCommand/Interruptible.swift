import GroupFiles
import SystemCalls

/// Work that may block, done on another thread while the main one waits for signals.
struct Interruptible {
    /// When work is given up, and why the command then ends.
    typealias Deadline = (moment: Moment, failure: Failure)

    private let loop: MainLoop

    init() throws(Failure) {
        loop = try MainLoop()
    }

    /// Events that the work does not wait for are returned by the loop later.
    init(_ loop: MainLoop) {
        self.loop = loop
    }

    /// What a signal does while work is going on.
    typealias OnSignal = (EndingSignal) throws(Failure) -> Void

    /// For work that leaves nothing half done.
    static let endsAtOnce: @Sendable (EndingSignal) throws(Failure) -> Void = { signal throws(Failure) in
        throw .signalled(signal)
    }

    /// Runs work that may wait for long: `onSignal` asks it to end, or throws to end the process at once.
    func run<R: Sendable>(
        about location: Location, _ work: @escaping @Sendable () throws(Failure) -> R,
        onSignal: OnSignal = endsAtOnce
    ) throws(Failure) -> R {
        let outcome = Guarded<Result<R, Failure>?>(nil)
        try Failure.wrapping("start a thread", about: location.name) { () throws(Errno) in
            try start(work) { result in outcome.withLock { $0 = result } }
        }
        return try wait(for: outcome, until: nil, onSignal: onSignal)
    }

    /// Runs work that waits only for a file system, which may never answer. If no thread can be created, the calling
    /// thread does the work.
    func look<R: Sendable>(
        until deadline: Deadline? = nil, _ work: @escaping @Sendable () throws(Failure) -> R,
        onSignal: OnSignal = endsAtOnce
    ) throws(Failure) -> R {
        let outcome = Guarded<Result<R, Failure>?>(nil)
        do throws(Errno) {
            try start(work) { result in outcome.withLock { $0 = result } }
        } catch {
            return try work()
        }
        return try wait(for: outcome, until: deadline, onSignal: onSignal)
    }

    private func start<R: Sendable>(
        _ work: @escaping @Sendable () throws(Failure) -> R,
        _ note: @escaping @Sendable (Result<R, Failure>) -> Void
    ) throws(Errno) {
        try Thread.spawn(named: "work") { [loop] in
            note(Result { () throws(Failure) in try work() })
            loop.wake()
        }
    }

    /// Changes a value in a task that a signal cancels. Waits for a change that can no longer be cancelled, so that it
    /// leaves nothing behind; a second signal ends the process at once.
    func change(_ location: Location, _ work: @escaping @Sendable () async throws -> Void) throws(Failure) {
        let outcome = Guarded<Result<Void, Failure>?>(nil)
        let task = Task(executorPreference: ThreadPerJobExecutor()) { [loop] in
            let result: Result<Void, Failure>
            do {
                result = .success(try await work())
            } catch let error as GroupFileError {
                result = .failure(Failure(error, about: location.name))
            } catch {
                result = .failure(.quiet(.inputOutput))  // Cancelled; the signal that did it is thrown below.
            }
            outcome.withLock { $0 = result }
            loop.wake()
        }
        var first: EndingSignal?
        let result = Result { () throws(Failure) in
            try wait(for: outcome, until: nil) { signal throws(Failure) in
                if first != nil { throw .signalled(signal) }
                first = signal
                task.cancel()
            }
        }
        if let first { throw .signalled(first) }
        try result.get()
    }

    /// Called on the thread that does the work: returns once all signals that have come by now had their effect.
    func waitForSignals() {
        loop.waitForSignals()
    }

    private func wait<R>(
        for outcome: borrowing Guarded<Result<R, Failure>?>, until deadline: Deadline?,
        onSignal: OnSignal
    ) throws(Failure) -> R {
        var others: [MainLoop.Event] = []
        defer { for event in others { loop.postpone(event) } }
        while true {
            if let result = outcome.withLock({ $0 }) { return try result.get() }
            switch try loop.wait(until: deadline?.moment) {
            case .ended(let signal): try onSignal(signal)
            case .timedOut: if let deadline { throw deadline.failure }
            case .woken: break
            case let event: others.append(event)
            }
        }
    }
}
