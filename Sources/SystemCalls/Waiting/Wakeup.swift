import CSystemCalls
import Glibc

/// One thread waits for it, and any thread notifies it: eventfd(2).
package struct Wakeup: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    package init() throws(Errno) {
        descriptor = FileDescriptor(owning: try performOpening(.eventfd) { cs_eventfd() })
    }

    /// write(2). Fails only after 2⁶⁴ notifications without a reset; then it is readable in any case.
    package borrowing func notify() {
        var one: UInt64 = 1
        _ = unsafe Glibc.write(descriptor.rawValue, &one, MemoryLayout<UInt64>.size)
    }

    /// read(2): it is readable again once somebody notifies.
    package borrowing func reset() {
        var count: UInt64 = 0
        _ = unsafe Glibc.read(descriptor.rawValue, &count, MemoryLayout<UInt64>.size)
    }
}
