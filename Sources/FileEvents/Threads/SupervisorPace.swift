import SystemCalls

/// How long the supervisor of the ``ThreadPool`` keeps looking when nothing is under way any more. Pure.
///
/// Setting the alarm costs a reader a tenth of the time that it takes to report a change: if jobs follow each other
/// closely, the next one is to find the alarm set.
struct SupervisorPace {
    /// How often it looks again, after another `stuckAfter`, if nothing is under way but more is expected.
    private static let mostLooksInVain = 2
    /// After such a pause between two jobs, the next job is expected as soon: nanoseconds.
    private static let frequentPauses: Range<Int64> = 1_000_000..<10_000_000

    /// How often it has looked since there was something to watch over.
    private var looksInVain = mostLooksInVain
    /// When there was last something to watch over.
    private var lastBegin: Moment?

    /// Notes that there is something to watch over.
    mutating func begin(now: Moment) {
        let pause = lastBegin.map { now.nanoseconds - $0.nanoseconds } ?? .max
        // Shorter pauses are those between the jobs of a single change.
        if pause >= Self.frequentPauses.lowerBound {
            looksInVain = pause < Self.frequentPauses.upperBound ? 0 : Self.mostLooksInVain
        }
        lastBegin = now
    }

    /// Notes that the supervisor has looked. True if it is to look again, even if nothing is under way.
    mutating func look() -> Bool {
        looksInVain += 1
        return looksInVain <= Self.mostLooksInVain
    }
}
