import CSystemCalls
import Glibc

/// A signal of signal(7).
package struct Signal: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let hangup = Signal(rawValue: SIGHUP)
    package static let interrupt = Signal(rawValue: SIGINT)
    /// Ctrl-\.
    package static let quit = Signal(rawValue: SIGQUIT)
    package static let terminate = Signal(rawValue: SIGTERM)
    package static let alarm = Signal(rawValue: SIGALRM)
    package static let user1 = Signal(rawValue: SIGUSR1)
    package static let kill = Signal(rawValue: SIGKILL)
    package static let child = Signal(rawValue: SIGCHLD)
    package static let brokenPipe = Signal(rawValue: SIGPIPE)
    /// A file would become larger than `ulimit -f`.
    package static let fileTooLarge = Signal(rawValue: SIGXFSZ)
    package static let windowChange = Signal(rawValue: SIGWINCH)
    /// Ctrl-Z.
    package static let suspend = Signal(rawValue: SIGTSTP)
    /// Lets a stopped process continue.
    package static let resume = Signal(rawValue: SIGCONT)
    /// Stops a background process that reads from its terminal.
    package static let terminalInput = Signal(rawValue: SIGTTIN)
    /// Stops a background process that writes to its terminal, or changes its settings.
    package static let terminalOutput = Signal(rawValue: SIGTTOU)

    /// Those that end a process unless it does something else with them; without SIGKILL, with those that tell of a
    /// fault, after which it cannot go on, and SIGXFSZ.
    package static let ending: [Signal] =
        [
            hangup, interrupt, quit, terminate, alarm, user1, Signal(rawValue: SIGUSR2), brokenPipe,
            Signal(rawValue: SIGSTKFLT), Signal(rawValue: SIGXCPU), Signal(rawValue: SIGVTALRM),
            Signal(rawValue: SIGPROF), Signal(rawValue: SIGIO), Signal(rawValue: SIGPWR),
        ] + (__libc_current_sigrtmin()...__libc_current_sigrtmax()).map { Signal(rawValue: $0) }

    /// pthread_sigmask(3): the signal stays pending, for this thread and those that it starts.
    package func block() { changeMask(SIG_BLOCK) }

    /// pthread_sigmask(3): the calling thread takes the signal again.
    package func unblock() { changeMask(SIG_UNBLOCK) }

    private func changeMask(_ how: Int32) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, rawValue)
        unsafe pthread_sigmask(how, &set, nil)
    }

    /// signal(2) with SIG_DFL, for the whole process.
    package func restoreDefault() {
        _ = signal(rawValue, SIG_DFL)
    }

    /// Whether it is ignored, as in a process that `nohup` has started: sigaction(2).
    package var isIgnored: Bool { cs_is_ignored(rawValue) }

    /// kill(2): to a process, or to the group `-process`. It is no error if that is gone already.
    package func send(to process: Int32) throws(Errno) {
        do throws(Errno) {
            try perform(.kill, "\(process)") { Glibc.kill(process, rawValue) }
        } catch .noProcess {
            return
        }
    }
}
