package import Dispatch
import Foundation

extension Duration {
    /// How long a test waits for what must happen: long enough for a busy machine and a sanitizer, because only a test
    /// that fails ever waits that long. If you expect failures, set `GROUP_FILES_TEST_DEADLINE` to fewer seconds.
    package static let testDeadline = Duration.seconds(
        ProcessInfo.processInfo.environment["GROUP_FILES_TEST_DEADLINE"].flatMap(Double.init) ?? 300)

    /// How long a test waits for what the kernel reports: after 30 seconds the library looks in any case, which would
    /// hide that nothing was reported.
    package static let beforeTheHeartbeat = Duration.seconds(20)

    package var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}

/// Whether `condition` holds, now or before the deadline.
///
/// It looks again every 5 ms, so use it only for what nobody reports, such as the removal of a file. For a printed line
/// or a handler's call, wait with ``Program`` or ``Log``.
package func eventually(
    within limit: Duration = .testDeadline, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try await condition() { return true }
        if ContinuousClock.now >= deadline { return false }
        await withCheckedContinuation { tick in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { tick.resume() }
        }
    }
}
