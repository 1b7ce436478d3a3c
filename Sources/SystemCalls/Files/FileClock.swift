import Glibc

/// The clock that files get their times from, in nanoseconds since 1970. It can be set to anything.
package enum FileClock {
    /// CLOCK_REALTIME.
    package static var now: Int64 { time(CLOCK_REALTIME) }

    /// CLOCK_REALTIME_COARSE: the time of the last tick, which a kernel without times of finer grain gives to files.
    package static var lastTick: Int64 { time(CLOCK_REALTIME_COARSE) }

    /// clock_gettime(2).
    private static func time(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
