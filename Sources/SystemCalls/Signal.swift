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
    package static let kill = Signal(rawValue: SIGKILL)
    package static let child = Signal(rawValue: SIGCHLD)
    package static let brokenPipe = Signal(rawValue: SIGPIPE)
    package static let windowChange = Signal(rawValue: SIGWINCH)
    /// Ctrl-Z.
    package static let suspend = Signal(rawValue: SIGTSTP)
    /// Stops who writes to a terminal from the background.
    package static let terminalOutput = Signal(rawValue: SIGTTOU)

    /// signal(2) with SIG_IGN, for the whole process.
    package func ignore() {
        _ = signal(rawValue, SIG_IGN)
    }

    /// signal(2) with SIG_DFL, for the whole process.
    package func restoreDefault() {
        _ = signal(rawValue, SIG_DFL)
    }

    /// Whether the process was started with it ignored, as `nohup` does: sigaction(2).
    package var isIgnored: Bool { cs_is_ignored(rawValue) }

    /// kill(2): to a process, or to the group `-process`. One that is gone already is no error.
    package func send(to process: Int32) throws(Errno) {
        do throws(Errno) {
            try perform(.kill, "\(process)") { Glibc.kill(process, rawValue) }
        } catch .noProcess {
            return
        }
    }
}

/// Signals as something to wait for: blocked, so that they interrupt nothing, and read from a descriptor.
package struct SignalReader: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    /// pthread_sigmask(3), then signalfd(2). To be made before there are other threads, which inherit the mask.
    package init(_ signals: [Signal]) throws(Errno) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        var mask: UInt64 = 0
        for signal in signals {
            unsafe sigaddset(&set, signal.rawValue)
            mask |= 1 << UInt64(signal.rawValue - 1)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = FileDescriptor(owning: try perform(.signalfd) { cs_signalfd(mask) })
    }

    /// read(2): the next signal that came, nil where none did. `isFromKernel`: it was a key of the terminal, say, and went
    /// to the whole process group.
    package borrowing func next() throws(Errno) -> (signal: Signal, isFromKernel: Bool)? {
        let raw = descriptor.rawValue
        var isFromKernel = false
        let number = try perform(.read, "\(raw) signals") { unsafe cs_signalfd_read(raw, &isFromKernel) }
        return number == 0 ? nil : (Signal(rawValue: number), isFromKernel)
    }
}

/// A bell that any thread rings and one thread waits for: eventfd(2).
package struct Wakeup: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    package init() throws(Errno) {
        descriptor = FileDescriptor(owning: try perform(.eventfd) { cs_eventfd() })
    }

    /// write(2). Cannot fail but where it has rung 2⁶⁴ times and nobody came; then it is ringing in any case.
    package borrowing func ring() {
        var one: UInt64 = 1
        _ = unsafe Glibc.write(descriptor.rawValue, &one, MemoryLayout<UInt64>.size)
    }

    /// read(2): until the next ring it is silent.
    package borrowing func silence() {
        var count: UInt64 = 0
        _ = unsafe Glibc.read(descriptor.rawValue, &count, MemoryLayout<UInt64>.size)
    }
}
