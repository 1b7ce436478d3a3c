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
    /// Nothing happened before that, as far as storms are concerned: a longer pause does not put the next one off.
    private static let longestInterval: Int64 = 1_000_000_000
    /// Events that come this closely, on average, are a storm.
    private static let stormyInterval: Double = 62_500
    /// A storm lasts while a rest brings so many events: half as many as began it, so that it does not come and go.
    private static let stormyRest = 8
    /// What remains of the reads before, each time: the average is one of about sixteen. A burst is a few.
    private static let memory = 15.0 / 16

    private var last = Moment(nanoseconds: 0)
    /// For how long events were waited for, and how many came.
    private var waited = Double(Self.longestInterval)
    private var came = 0.0
    private var isBehind = false

    private var isStorm: Bool { waited < came * Self.stormyInterval }

    /// Whether to rest before the next read. A reader that is behind does not: the newest event waits behind all others.
    var rests: Bool { isStorm && !isBehind }

    /// A read has brought so many events. `isFull`: no more would have had room.
    mutating func noteRead(events: Int, isFull: Bool = false, at now: Moment) {
        isBehind = isFull
        if !isStorm {
            let interval = min(Self.longestInterval, now.nanoseconds - last.nanoseconds)
            waited = waited * Self.memory + Double(interval)
            came = came * Self.memory + Double(events)
        } else if events < Self.stormyRest {
            (waited, came) = (Double(Self.longestInterval), 0)
        }
        last = now
    }
}
