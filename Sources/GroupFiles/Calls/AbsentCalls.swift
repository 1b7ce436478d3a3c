import SystemCalls

/// Calls of a ``CallQueue`` that lose their turn because their actor did not go on in time, and that will come back for
/// it. Later calls of the same actor wait for them, but not for long, so that all calls keep their order if the actor
/// was only busy.
struct AbsentCalls {
    private struct Absentee {
        let place: CallQueue.Place
        /// Until when later calls of the same actor wait for this one; nil until one of them is about to go on first.
        var end: Moment?
    }

    private static let patience = Duration.seconds(1)

    private var calls: [Absentee] = []
    /// When the first of these calls has to release its turn; all others have to release theirs at the same time.
    private var endOfTurns: Moment?
    /// Signalled when a call comes back; made for the first call that waits for that.
    private var arrival: Semaphore?

    /// Adds a call, and returns when it has to release its turn. If several calls are away, the others wait once for
    /// all of them, and not for each in turn.
    mutating func insert(_ place: CallQueue.Place) -> Moment {
        let end = endOfTurns ?? .now + Self.patience
        endOfTurns = end
        calls.append(Absentee(place: place))
        return end
    }

    /// Removes a call that has come back. Returns the semaphore that has to be signalled, outside of the lock.
    mutating func remove(_ place: CallQueue.Place) -> Semaphore? {
        calls.removeAll { $0.place == place }
        if calls.isEmpty { endOfTurns = nil }
        return arrival
    }

    /// Until when a call waits for earlier calls of the same actor that will come back; nil if it need not wait. They
    /// are not far away, since the actor goes on. Only Swift's pool is in between, and if that is blocked, all are late
    /// together.
    mutating func endOfWaiting(_ place: CallQueue.Place) -> Moment? {
        guard let actor = place.actor else { return nil }
        let earlier = calls.indices.filter { calls[$0].place.actor == actor && calls[$0].place < place }
        if earlier.isEmpty { return nil }
        let now = Moment.now
        for index in calls.indices where calls[index].end == nil { calls[index].end = now + Self.patience }
        return earlier.compactMap { calls[$0].end }.filter { now < $0 }.max()
    }

    /// Until when the call that has the turn waits for earlier calls of its actor, and the semaphore that is signalled
    /// if one comes back before that.
    mutating func prepareToWait(_ place: CallQueue.Place) -> (Moment, Semaphore)? {
        guard let end = endOfWaiting(place) else { return nil }
        let arrival = arrival ?? Semaphore()
        self.arrival = arrival
        return (end, arrival)
    }
}
