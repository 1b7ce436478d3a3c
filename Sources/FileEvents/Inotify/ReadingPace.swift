import SystemCalls

/// When the reader of events rests, because changes come faster than they can be handed on one by one. Pure.
///
/// To be woken for each change takes the reader ten microseconds, and one or two from whoever makes the change; a writer
/// without pauses went half as fast for it. After a run of reads that followed closely on each other the reader rests, and
/// then takes all that has come. Changes that come alone, or by thousands a second, are told without delay.
struct ReadingPace {
    /// Nanoseconds.
    static let rest: Int64 = 250_000
    /// A read within so many nanoseconds of the last one is close.
    private static let closeness: Int64 = 100_000
    /// So many close ones in a row are a storm.
    private static let mostClose = 16
    /// A storm lasts while a rest brings so many events.
    private static let stormyRest = 6

    private var last = Moment(nanoseconds: 0)
    private var close = 0
    private var isBehind = false

    private var isStorm: Bool { close >= Self.mostClose }

    /// Whether to rest before the next read. A reader that is behind does not: the newest event waits behind all others.
    var rests: Bool { isStorm && !isBehind }

    /// A read has brought so many events. `isFull`: no more would have had room.
    mutating func noteRead(events: Int, isFull: Bool = false, at now: Moment) {
        isBehind = isFull
        if isStorm {
            if events < Self.stormyRest { close = 0 }
        } else if now <= last.advanced(byNanoseconds: Self.closeness) {
            close += 1
        } else {
            close = 0
        }
        last = now
    }
}
