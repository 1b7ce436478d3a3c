import CSystemCalls
import Glibc

/// A timer that one thread waits for and any thread sets: timerfd_create(2). Setting it wakes nobody before its time.
package struct Timer: ~Copyable, Sendable {
    private let descriptor: KeptDescriptor

    package init() throws(Errno) {
        descriptor = KeptDescriptor(owning: try performOpening(.timerfd_create) { cs_timerfd_create() })
    }

    /// timerfd_settime(2), in ``Moment``'s time; a moment that has passed fires at once. False if the program has closed
    /// the descriptor, or has put another file in its place.
    package borrowing func set(_ moment: Moment) -> Bool {
        cs_timerfd_set(descriptor.rawValue, max(1, moment.nanoseconds)) == 0
    }

    var rawValue: Int32 { descriptor.rawValue }

    /// read(2): blocks until the timer fires. May return early. Throws at once if the program has closed its descriptor,
    /// or has put another file in its place.
    borrowing func wait() throws(Errno) {
        // A poll(2) that began before still waits for the closed timer; its successor's ringing is not for this one.
        if !descriptor.isOurs { throw .badDescriptor }
        var count: UInt64 = 0
        let length = unsafe Glibc.read(descriptor.rawValue, &count, MemoryLayout<UInt64>.size)
        if length == MemoryLayout<UInt64>.size { return }
        if length >= 0 { throw .badDescriptor }
        let error = Errno.current
        if error != .interrupted { throw error }
    }
}
