import Foundation
import TestSupport
import Testing
import Timelines

/// The clock that people have: these alone take the time that they name.
@Suite struct WallClockTests {
    @Test(arguments: [-1e12, -1, 0, 0.02])
    func aSleeperWakesAtItsDate(seconds: Double) async throws {
        let clock = WallClock()
        let date = clock.now + seconds
        while clock.now < date || seconds <= 0 {
            try await clock.sleep(until: date)
            if seconds <= 0 { return }
        }
        #expect(clock.now >= date)
    }

    @Test(arguments: [3600, 1e10, 1e300])
    func aSleeperWhoseTaskIsCancelledWakesAtOnce(seconds: Double) async {
        let clock = WallClock()
        let asleep = Log<Void>()
        let task = Task {
            asleep.append(())
            try await clock.sleep(until: clock.now + seconds)
        }
        _ = await asleep.first { _ in true }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
