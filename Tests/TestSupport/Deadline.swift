package import Dispatch
import Foundation

extension Duration {
    /// How long a test waits for what must happen: long enough for a loaded machine under a sanitizer, since only a
    /// test that fails ever waits that long. `GROUP_FILES_TEST_DEADLINE`, in seconds, is for those who expect failures.
    package static let testDeadline = Duration.seconds(
        ProcessInfo.processInfo.environment["GROUP_FILES_TEST_DEADLINE"].flatMap(Double.init) ?? 300)

    /// How long a test waits for what the kernel tells: after 30 seconds the library looks in any case, and would hide that
    /// it was not told.
    package static let beforeTheHeartbeat = Duration.seconds(20)

    package var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}

/// Whether `condition` holds, now or before the deadline.
///
/// For what nobody tells, such as a file that is to vanish, and only for that: it looks again every 5 ms. Where a line is
/// printed or a handler is called, wait for that with ``Program`` or ``Log``.
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
