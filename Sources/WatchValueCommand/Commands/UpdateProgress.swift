import SystemCalls

/// How far an update is, for the thread that waits for signals.
final class UpdateProgress: Sendable {
    enum Interruption {
        /// Nothing was begun, nor will be.
        case atOnce
        case child(ChildProcess)
        /// It takes no longer than to start COMMAND, which gets it then.
        case whenStarted
    }

    private enum Phase {
        case waiting, starting
        /// From when on signals are passed on, also to one that has ended.
        case running(ChildProcess)
    }

    /// Notified once a signal came, and never reset.
    let signalled: Wakeup
    private let state = Guarded<(phase: Phase, signal: Signal?)>((.waiting, nil))

    init() throws(Errno) {
        signalled = try Wakeup()
    }

    var signal: Signal? { state.withLock { $0.signal } }

    /// Returns the signal that came before; then nothing is to be started.
    func starting() -> Signal? {
        state.withLock { state in
            if state.signal == nil { state.phase = .starting }
            return state.signal
        }
    }

    /// Returns the signal that came too early for it.
    func started(_ child: ChildProcess) -> Signal? {
        state.withLock { state in
            state.phase = .running(child)
            return state.signal
        }
    }

    /// To be called once no more signals are passed on: COMMAND's number may be another's then.
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
