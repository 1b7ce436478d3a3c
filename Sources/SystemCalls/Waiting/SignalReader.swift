import CSystemCalls
import Glibc

/// Signals as something to wait for: blocked, so that they interrupt nothing, and read from a descriptor.
package struct SignalReader: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    /// pthread_sigmask(3), then signalfd(2). Make it before other threads are started: they inherit the mask.
    package init(_ signals: [Signal]) throws(Errno) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal.rawValue) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = FileDescriptor(owning: try perform(.signalfd) { unsafe cs_signalfd(&set) })
    }

    /// read(2): the next signal that has arrived, nil if there is none. `isFromKernel`: a key of the terminal raised
    /// it, say, and it went to the whole process group. A SIGPIPE from this process's own write is left out: nobody
    /// sent it.
    package borrowing func next() throws(Errno) -> (signal: Signal, isFromKernel: Bool)? {
        let raw = descriptor.rawValue
        var isFromKernel = false
        let number = try perform(.read, "\(raw) signals") { unsafe cs_signalfd_read(raw, &isFromKernel) }
        return number == 0 ? nil : (Signal(rawValue: number), isFromKernel)
    }
}
