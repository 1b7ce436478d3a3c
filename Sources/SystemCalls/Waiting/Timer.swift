import CSystemCalls
import Glibc

/// A timer that one thread waits for and any thread sets: timerfd_create(2). Setting it wakes nobody before its time.
package struct Timer: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    package init() throws(Errno) {
        descriptor = FileDescriptor(owning: try performOpening(.timerfd_create) { cs_timerfd_create() })
    }

    /// timerfd_settime(2), in ``Moment``'s time; a moment that has passed fires at once. Cannot fail: the descriptor
    /// and the time are ours.
    package borrowing func set(_ moment: Moment) {
        cs_timerfd_set(descriptor.rawValue, max(1, moment.nanoseconds))
    }

    var rawValue: Int32 { descriptor.rawValue }

    /// read(2): blocks until the timer fires. May return early. Throws at once if its descriptor was closed.
    borrowing func wait() throws(Errno) {
        var count: UInt64 = 0
        if unsafe Glibc.read(descriptor.rawValue, &count, MemoryLayout<UInt64>.size) >= 0 { return }
        let error = Errno.current
        if error != .interrupted { throw error }
    }
}
