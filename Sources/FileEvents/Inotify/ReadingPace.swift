import SystemCalls

/// When the reader of events rests, because changes come faster than they can be delivered one by one. Pure.
///
/// A wake-up for each change costs the reader ten microseconds and more, and the writer one or two: it halved the speed
/// of a writer without pauses, and eight writers that took turns got less processor time than their readers. Once
/// events have come close together for a while, the reader rests, and then takes all that have arrived. Changes that
/// come alone, in a burst, or by thousands a second, are delivered without delay.
struct ReadingPace {
    // All times are in nanoseconds.

    static let rest: Int64 = 1_000_000
    /// Longer pauses count as this long, so that they do not delay the detection of the next storm.
    private static let longestInterval: Int64 = 1_000_000_000
    /// Events that are closer together than this, on average, are a storm.
    private static let stormyInterval: Double = 62_500
    /// A storm lasts while each rest brings at least this many events: half the rate that began it, so that it does not
    /// come and go.
    private static let stormyRest = 8
    /// How much the earlier reads count at each new one: the average covers about sixteen. A burst is a few.
    private static let memory = 15.0 / 16

    private var last = Moment(nanoseconds: 0)
    /// How long the reader waited for events, and how many came. Both decay.
    private var waited = Double(Self.longestInterval)
    private var came = 0.0
    private var isBehind = false

    private var isStorm: Bool { waited < came * Self.stormyInterval }

    /// Whether to rest before the next read. Not while the reader is behind: the newest event waits behind all others.
    var rests: Bool { isStorm && !isBehind }

    /// Notes that a read has brought this many events. `isFull`: another one would not have fitted.
    mutating func noteRead(events: Int, isFull: Bool, at now: Moment) {
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
