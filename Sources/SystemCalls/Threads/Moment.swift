import Glibc

/// A point in time on a clock that nobody can set: CLOCK_MONOTONIC.
package struct Moment: Hashable, Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// clock_gettime(2).
    package static var now: Moment {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }
    // The standard library's versions, which derive from `<`, are not specialized in other modules, and these run for
    // each change.
    package static func <= (a: Moment, b: Moment) -> Bool { a.nanoseconds <= b.nanoseconds }
    package static func > (a: Moment, b: Moment) -> Bool { a.nanoseconds > b.nanoseconds }
    package static func >= (a: Moment, b: Moment) -> Bool { a.nanoseconds >= b.nanoseconds }

    package static func + (moment: Moment, duration: Duration) -> Moment {
        let (seconds, attoseconds) = duration.withinClocks.components
        return Moment(nanoseconds: moment.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// The moment that long from now; nil, which means never, for nil and for what no clock can represent.
    package static func after(_ duration: Duration?) -> Moment? {
        guard let duration, duration < .longestWait else { return nil }
        return .now + max(duration, .zero)
    }

    /// Cheaper than with a `Duration`, which counts in 128 bits.
    package func advanced(byNanoseconds nanoseconds: Int64) -> Moment {
        Moment(nanoseconds: self.nanoseconds + nanoseconds)
    }

    package static func - (a: Moment, b: Moment) -> Duration { .nanoseconds(a.nanoseconds - b.nanoseconds) }
}
