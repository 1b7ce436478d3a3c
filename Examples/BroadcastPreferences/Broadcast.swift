public import FoundationEssentials

/// A broadcast, as its broadcaster tells of it several times a second.
public struct Broadcast: Codable, Hashable, Sendable {
    /// Tells it from every other one, whatever else they have in common.
    public let id: UUID
    public var title: String
    public var startedAt: Date
    /// Bits a second.
    public var bitrate = 0
    public var framesSent = 0
    /// When the broadcaster wrote this.
    public var heartbeat: Date
    /// When it came to its end; nil as long as it has not.
    public var endedAt: Date?
    /// Why it ended, where that was not intended.
    public var failure: String?

    public init(title: String, startedAt: Date) {
        id = UUID()
        self.title = title
        self.startedAt = startedAt
        heartbeat = startedAt
    }

    /// A broadcaster that has not written for so long is dead, or hangs: a process that is killed cannot say goodbye.
    public static let heartbeatLimit = Duration.seconds(2)

    /// How long the heartbeat may still stay away; zero once it is overdue. A clock that was set back delays, by the
    /// limit at most: what is further ahead was written by another time, or by somebody who knows none.
    public func remainingTime(at now: Date) -> Duration {
        let limit = Self.heartbeatLimit / .seconds(1)
        let age = now.timeIntervalSince(heartbeat)
        // As a number: a file may hold one that no Duration can.
        guard abs(age) < limit else { return .zero }
        return .seconds(min(limit, limit - age))
    }

    /// Whether somebody is still behind it.
    public func isAlive(at now: Date) -> Bool {
        endedAt == nil && remainingTime(at: now) > .zero
    }
}
