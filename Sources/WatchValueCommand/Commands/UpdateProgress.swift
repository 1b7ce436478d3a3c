import SystemCalls

/// How far an update has come, for the thread that waits for signals.
final class UpdateProgress: Sendable {
    enum Interruption {
        /// COMMAND was not started, and will not be.
        case atOnce
        case child(ChildProcess)
        /// COMMAND is just being started, and then gets the signal.
        case whenStarted
    }

    private enum Phase {
        case waiting, starting
        /// From now on signals are passed on to COMMAND, even after it has ended.
        case running(ChildProcess)

        var child: ChildProcess? { if case .running(let child) = self { child } else { nil } }
    }

    /// Notified when a signal comes, and never reset.
    let signalled: Wakeup
    /// Guards all that changes.
    private let state = Guarded<(phase: Phase, signal: EndingSignal?)>((.waiting, nil))

    init() throws(Errno) {
        signalled = try Wakeup()
    }

    var signal: EndingSignal? { state.withLock { $0.signal } }

    /// Returns a signal that has come already; then COMMAND must not be started.
    func starting() -> EndingSignal? {
        let (signal, last) = state.withLock { state -> (EndingSignal?, ChildProcess?) in
            if let signal = state.signal { return (signal, nil) }
            defer { state.phase = .starting }
            return (nil, state.phase.child)
        }
        if let last { Self.reap(last) }
        return signal
    }

    /// Returns a signal that came too early to be passed on.
    func started(_ child: ChildProcess) -> EndingSignal? {
        state.withLock { state in
            state.phase = .running(child)
            return state.signal
        }
    }

    /// To be called once no more signals are passed on: afterwards COMMAND's ID may be that of another process.
    func reap() {
        if let child = state.withLock({ $0.phase.child }) { Self.reap(child) }
    }

    private static func reap(_ child: ChildProcess) {
        do throws(Errno) { _ = try child.poll() } catch {}  // Its end is known in any case.
    }

    func interrupt(_ signal: EndingSignal) -> Interruption {
        defer { signalled.notify() }
        return state.withLock { state in
            state.signal = signal
            switch state.phase {
            case .waiting: return .atOnce
            case .starting: return .whenStarted
            case .running(let child): return .child(child)
            }
        }
    }
}
