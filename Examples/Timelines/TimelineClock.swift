import Dispatch
public import Foundation

/// The clock on the wall, by which entries have their dates; tests have one of their own.
public protocol TimelineClock: Sendable {
    var now: Date { get }
    /// Returns once that date has come, or a little earlier, or soon after the clock was set back to before the call;
    /// throws where the task is cancelled first.
    func sleep(until date: Date) async throws
}

/// The machine's. Who sleeps by it wakes at the date, also where the clock was set or the machine slept meanwhile.
public struct WallClock: TimelineClock {
    /// In seconds: nobody tells that the clock was set back.
    private static let lookInterval = 10

    public init() {}

    public var now: Date { Date() }

    public func sleep(until date: Date) async throws {
        let now = now
        if date <= now { return }
        // By the wall's clock in the kernel, where `Task.sleep` counts seconds.
        let timer = DispatchSource.makeTimerSource()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        timer.setEventHandler { continuation.finish() }
        // A date may lie beyond what libdispatch counts: some thirty years are a little earlier.
        let seconds = min(date, now + 1e9).timeIntervalSince1970
        let whole = seconds.rounded(.down)
        let time = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
        timer.schedule(wallDeadline: DispatchWallTime(timespec: time))
        timer.activate()
        defer { timer.cancel() }
        let look = DispatchSource.makeTimerSource()
        look.setEventHandler { if self.now < now { continuation.finish() } }
        look.schedule(
            deadline: .now() + .seconds(Self.lookInterval), repeating: .seconds(Self.lookInterval), leeway: .seconds(1))
        look.activate()
        defer { look.cancel() }
        for await _ in stream {}
        try Task.checkCancellation()
    }
}
