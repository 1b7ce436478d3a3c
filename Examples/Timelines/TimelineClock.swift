import Dispatch
public import Foundation

/// The clock to which the dates of entries refer; tests have one of their own.
public protocol TimelineClock: Sendable {
    var now: Date { get }
    /// Returns once that date has come, or a little earlier, or soon after the clock was set back to before the call;
    /// throws if the task is cancelled first.
    func sleep(until date: Date) async throws
}

/// The machine's clock. A sleep ends at the date even if the clock was set or the machine slept meanwhile.
public struct WallClock: TimelineClock {
    /// How often to look at the clock, in seconds: there is no notification when it is set back.
    private static let lookInterval = 10
    /// One for all timers: without a queue of its own, each timer would take a thread when it fires, or ends.
    private static let queue = DispatchQueue(label: "timelines.clock")

    public init() {}

    public var now: Date { Date() }

    public func sleep(until date: Date) async throws {
        let now = now
        if date <= now { return }
        // This follows the kernel's wall clock, whereas `Task.sleep` counts seconds.
        let timer = DispatchSource.makeTimerSource(queue: Self.queue)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        timer.setEventHandler { continuation.finish() }
        // A date may lie beyond what libdispatch can count to: the sleep then ends early, after some thirty years.
        let seconds = min(date, now + 1e9).timeIntervalSince1970
        let whole = seconds.rounded(.down)
        let time = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
        timer.schedule(wallDeadline: DispatchWallTime(timespec: time))
        timer.activate()
        defer { timer.cancel() }
        let look = DispatchSource.makeTimerSource(queue: Self.queue)
        look.setEventHandler { if self.now < now { continuation.finish() } }
        look.schedule(
            deadline: .now() + .seconds(Self.lookInterval), repeating: .seconds(Self.lookInterval), leeway: .seconds(1))
        look.activate()
        defer { look.cancel() }
        for await _ in stream {}
        try Task.checkCancellation()
    }
}
