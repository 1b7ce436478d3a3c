import Dispatch
public import Foundation

/// The clock on the wall, by which entries have their dates; tests have one of their own.
public protocol TimelineClock: Sendable {
    var now: Date { get }
    /// Returns once that date has come, or a little earlier; throws where the task is cancelled first.
    func sleep(until date: Date) async throws
}

/// The machine's. Who sleeps by it wakes at the date, also where the clock was set or the machine slept meanwhile.
public struct WallClock: TimelineClock {
    public init() {}

    public var now: Date { Date() }

    public func sleep(until date: Date) async throws {
        // By the wall's clock in the kernel, where `Task.sleep` counts seconds.
        let timer = DispatchSource.makeTimerSource()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        timer.setEventHandler { continuation.finish() }
        let seconds = max(date.timeIntervalSince1970, 0)
        // A date may lie beyond what the kernel counts: some hundred years are enough to wait.
        let whole = min(seconds.rounded(.down), 10_000_000_000)
        let time = timespec(tv_sec: Int(whole), tv_nsec: Int(min((seconds - whole) * 1e9, 999_999_999)))
        timer.schedule(wallDeadline: DispatchWallTime(timespec: time))
        timer.activate()
        defer { timer.cancel() }
        for await _ in stream {}
        try Task.checkCancellation()
    }
}
