import Glibc
import SystemCalls
import TestSupport
import Testing

struct SemaphoreTests {
    private typealias Thread = SystemCalls.Thread

    @Test func eachSignalEndsOneWait() {
        let semaphore = Semaphore()
        semaphore.signal()
        semaphore.signal()
        semaphore.wait()
        #expect(semaphore.wait(until: nil))
        #expect(!semaphore.wait(until: .now))
        semaphore.signal()
        // A signal counts even if the deadline has already passed.
        #expect(semaphore.wait(until: Moment(nanoseconds: -1)))
        let end = Moment.now + .milliseconds(10)
        #expect(!semaphore.wait(until: end))
        #expect(.now >= end)
    }

    /// If waits were measured by the time of day, setting that clock back would prolong them.
    @Test func noClockSettingDelaysTheEndOfAWait() async throws {
        let semaphore = Semaphore()
        let thread = Guarded<Thread.ID?>(nil)
        let results = Log<Bool>()
        try Thread.spawn(named: "waits") {
            thread.withLock { $0 = Thread.id }
            results.append(semaphore.wait(until: .now + .seconds(1000)))
        }
        let call = Guarded<FutexWait?>(nil)
        try #require(
            await eventually {
                guard let id = thread.withLock({ $0 }), let wait = try FutexWait(of: id) else { return false }
                call.withLock { $0 = wait }
                return true
            })
        let operation = try #require(call.withLock { $0 }).operation
        #expect(operation & Self.realtime == 0)
        semaphore.signal()
        #expect(await results.first { _ in true } == true)
    }

    /// FUTEX_CLOCK_REALTIME of futex(2).
    private static let realtime: Int32 = 256
}
