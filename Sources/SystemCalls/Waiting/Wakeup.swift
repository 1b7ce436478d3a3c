import CSystemCalls
import Glibc

/// A bell that any thread rings and one thread waits for: eventfd(2).
package struct Wakeup: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    package init() throws(Errno) {
        descriptor = FileDescriptor(owning: try performOpening(.eventfd) { cs_eventfd() })
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
