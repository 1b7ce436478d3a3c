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
    }

    /// Notified when a signal comes, and never reset.
    let signalled: Wakeup
    private let state = Guarded<(phase: Phase, signal: Signal?)>((.waiting, nil))

    init() throws(Errno) {
        signalled = try Wakeup()
    }

    var signal: Signal? { state.withLock { $0.signal } }

    /// Returns a signal that has come already; then COMMAND must not be started.
    func starting() -> Signal? {
        state.withLock { state in
            if state.signal == nil { state.phase = .starting }
            return state.signal
        }
    }

    /// Returns a signal that came too early to be passed on.
    func started(_ child: ChildProcess) -> Signal? {
        state.withLock { state in
            state.phase = .running(child)
            return state.signal
        }
    }

    /// To be called once no more signals are passed on: afterwards COMMAND's ID may be that of another process.
    func reap() {
        guard case .running(let child) = state.withLock({ $0.phase }) else { return }
        do throws(Errno) { _ = try child.poll() } catch {}  // Its end is known in any case.
    }

    func interrupt(_ signal: Signal) -> Interruption {
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
