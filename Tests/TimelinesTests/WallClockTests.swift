import Foundation
import TestSupport
import Testing
import Timelines

/// The real clock: only these tests take as long as they say.
@Suite struct WallClockTests {
    @Test(arguments: [-1e12, -1, 0, 0.02])
    func aSleeperWakesAtItsDate(seconds: Double) async throws {
        let clock = WallClock()
        let date = clock.now + seconds
        // The sleep may end a little early, so that another one is needed; but not at once.
        var times = 0
        repeat {
            try await clock.sleep(until: date)
            times += 1
        } while clock.now < date
        #expect(times < 10)
    }

    @Test(arguments: [3600, 1e10, 1e300])
    func aSleeperWhoseTaskIsCancelledWakesAtOnce(seconds: Double) async {
        let clock = WallClock()
        let asleep = Gate()
        let task = Task {
            asleep.open()
            try await clock.sleep(until: clock.now + seconds)
        }
        await asleep.opened()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func sleepersThatWakeTogetherTakeFewThreads() async throws {
        let clock = WallClock()
        let date = clock.now + 1
        try await withThrowingDiscardingTaskGroup { sleepers in
            for _ in 1...1000 { sleepers.addTask { try await clock.sleep(until: date) } }
        }
        // Threads of libdispatch's queues stay for seconds, and are known by their names. Other tests have threads of
        // their own.
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { thread in
            do {
                return try String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8).contains(
                    "overcommit")
            } catch {
                return false  // It has ended.
            }
        }
        #expect(threads < 100)
    }
}
