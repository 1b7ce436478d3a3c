import CSystemCalls
import Glibc

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
    /// to the whole process group. What a write of this process to a closed pipe raised was sent by nobody, and is left out.
    package borrowing func next() throws(Errno) -> (signal: Signal, isFromKernel: Bool)? {
        let raw = descriptor.rawValue
        var isFromKernel = false
        let number = try perform(.read, "\(raw) signals") { unsafe cs_signalfd_read(raw, &isFromKernel) }
        return number == 0 ? nil : (Signal(rawValue: number), isFromKernel)
    }
}
