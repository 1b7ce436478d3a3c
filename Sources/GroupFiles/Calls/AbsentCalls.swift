import SystemCalls

/// Calls of a ``CallQueue`` that have lost their turn because their actor did not go on in time, and that will come back
/// for it. Later calls of the same actor wait for them, but not for long: so all keep their order where the actor was only
/// busy.
struct AbsentCalls {
    private struct Absentee {
        let place: CallQueue.Place
        /// Until when those of its actor wait for it: nil until one of them is about to go on before it.
        var end: Moment?
    }

    private static let patience = Duration.seconds(1)

    private var calls: [Absentee] = []
    /// When the turn that was taken from the first of them has to be released, and so those of all others.
    private var endOfTurns: Moment?
    /// Signalled when one comes back; made for the first call that waits for that.
    private var arrival: Semaphore?

    /// Returns when the call has to release its turn: if several are away, the others wait once for all of them, and not
    /// for each in turn.
    mutating func insert(_ place: CallQueue.Place) -> Moment {
        let end = endOfTurns ?? .now + Self.patience
        endOfTurns = end
        calls.append(Absentee(place: place))
        return end
    }

    /// Returns what is to be signalled, outside of the lock.
    mutating func remove(_ place: CallQueue.Place) -> Semaphore? {
        calls.removeAll { $0.place == place }
        if calls.isEmpty { endOfTurns = nil }
        return arrival
    }

    /// Until when a call waits for one of the same actor that came earlier and will come back: it is not far, since the
    /// actor goes on. Only Swift's pool is in between, and should that be blocked, all are late together.
    mutating func endOfWaiting(_ place: CallQueue.Place) -> Moment? {
        guard let actor = place.actor else { return nil }
        let earlier = calls.indices.filter { calls[$0].place.actor == actor && calls[$0].place < place }
        if earlier.isEmpty { return nil }
        let now = Moment.now
        for index in calls.indices where calls[index].end == nil { calls[index].end = now + Self.patience }
        return earlier.compactMap { calls[$0].end }.filter { now < $0 }.max()
    }

    /// Until when whoever has the turn waits for those of its actor, and what is signalled if one comes back earlier.
    mutating func prepareToWait(_ place: CallQueue.Place) -> (Moment, Semaphore)? {
        guard let end = endOfWaiting(place) else { return nil }
        let arrival = arrival ?? Semaphore()
        self.arrival = arrival
        return (end, arrival)
    }
}
