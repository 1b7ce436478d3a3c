public import FoundationEssentials

/// A broadcast, as its broadcaster reports it several times a second.
public struct Broadcast: Codable, Hashable, Sendable {
    /// Distinguishes it from every other broadcast, whatever else they have in common.
    public let id: UUID
    public var title: String
    public var startedAt: Date
    /// Bits a second.
    public var bitrate = 0
    public var framesSent = 0
    /// When the broadcaster wrote this.
    public var heartbeat: Date
    /// When it ended; nil until then.
    public var endedAt: Date?
    /// Why it ended, if that was not intended.
    public var failure: String?

    public init(title: String, startedAt: Date) {
        id = UUID()
        self.title = title
        self.startedAt = startedAt
        heartbeat = startedAt
    }

    /// A broadcaster that has not written for this long is dead, or hangs: a process that is killed cannot say goodbye.
    public static let heartbeatLimit = Duration.seconds(2)

    /// How long the heartbeat may still be missing; zero once it is overdue. A clock that was set back delays that
    /// moment, by the limit at most: a heartbeat further in the future was written by another clock, or without any.
    public func remainingTime(at now: Date) -> Duration {
        let limit = Self.heartbeatLimit / .seconds(1)
        let age = now.timeIntervalSince(heartbeat)
        // As a number: a file may contain a time that no Duration can hold.
        guard abs(age) < limit else { return .zero }
        return .seconds(min(limit, limit - age))
    }

    /// Whether its broadcaster is still alive.
    public func isAlive(at now: Date) -> Bool {
        endedAt == nil && remainingTime(at: now) > .zero
    }
}
