import SystemCalls

/// When the reader of events rests, because changes come faster than they can be handed on one by one. Pure.
///
/// To be woken for each change takes the reader ten microseconds and more, and one or two from whoever makes the change; a
/// writer without pauses went half as fast for it, and eight that took turns had less of the processors than their readers.
/// Once events have come closely on each other for a while the reader rests, and then takes all that has come. Changes that
/// come alone, in a burst, or by thousands a second, are told without delay.
struct ReadingPace {
    // All times are in nanoseconds.

    static let rest: Int64 = 1_000_000
    /// Whatever comes less often than this is no part of a storm, however much less often.
    private static let longestInterval: Int64 = 1_000_000
    /// Events that come this closely are a storm.
    private static let stormyInterval: Int64 = 62_500
    /// A storm lasts while a rest brings so many events: half as many as began it, so that it does not come and go.
    private static let stormyRest = 8
    /// A mean of about so many reads: a burst is a few.
    private static let memory: Int64 = 16

    private var last = Moment(nanoseconds: 0)
    /// Between two events.
    private var meanInterval = Self.longestInterval
    private var isBehind = false

    private var isStorm: Bool { meanInterval < Self.stormyInterval }

    /// Whether to rest before the next read. A reader that is behind does not: the newest event waits behind all others.
    var rests: Bool { isStorm && !isBehind }

    /// A read has brought so many events. `isFull`: no more would have had room.
    mutating func noteRead(events: Int, isFull: Bool = false, at now: Moment) {
        isBehind = isFull
        if !isStorm {
            let interval = min(Self.longestInterval, (now.nanoseconds - last.nanoseconds) / max(1, Int64(events)))
            meanInterval += (interval - meanInterval) / Self.memory
        } else if events < Self.stormyRest {
            meanInterval = Self.longestInterval
        }
        last = now
    }
}
