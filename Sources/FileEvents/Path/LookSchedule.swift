import SystemCalls

/// When a path is looked at without any event, and the alarm that is set for that.
struct LookSchedule {
    private struct Alarm {
        let token: DeadlineQueue.Token
        let moment: Moment
        let number: UInt64
    }

    private static let shortestPoll = Duration.milliseconds(250)
    private static let longestPoll = Duration.seconds(2)
    private static let longestHeartbeat: Int64 = 30_000_000_000
    private static let heartbeatGrid: Int64 = 5_000_000_000

    private var pollInterval = shortestPoll
    private var alarm: Alarm?
    private var lastNumber: UInt64 = 0

    /// After 25 to 30 seconds, and at the same time for all paths: an idle process is not woken for each of them.
    static func heartbeat(after now: Moment) -> Moment {
        let latest = now.nanoseconds + longestHeartbeat
        return Moment(nanoseconds: latest - latest % heartbeatGrid)
    }

    /// When the next alarm has to ring, and its number; nil if the present one rings no later. Otherwise repeated
    /// events on the way would postpone the look again and again.
    mutating func next(isPolled: Bool) -> (moment: Moment, number: UInt64)? {
        let moment = isPolled ? .now + pollInterval : Self.heartbeat(after: .now)
        if let alarm, alarm.moment <= moment { return nil }
        lastNumber += 1
        return (moment, lastNumber)
    }

    /// Returns the alarm that this one replaces.
    mutating func set(_ token: DeadlineQueue.Token, _ moment: Moment, _ number: UInt64) -> DeadlineQueue.Token? {
        defer { alarm = Alarm(token: token, moment: moment, number: number) }
        return alarm?.token
    }

    /// Returns the alarm that is no longer wanted.
    mutating func end() -> DeadlineQueue.Token? { alarm.take()?.token }

    /// False if it rang just when it was replaced by an earlier one, or cancelled.
    mutating func rang(_ number: UInt64) -> Bool {
        guard alarm?.number == number else { return false }
        alarm = nil
        return true
    }

    /// A path that changes is polled often, one that does not is polled less and less often.
    mutating func note(hasChanged: Bool) {
        pollInterval = hasChanged ? Self.shortestPoll : min(pollInterval * 3 / 2, Self.longestPoll)
    }
}
