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
        // Also one that comes too late to be waited for.
        #expect(semaphore.wait(until: Moment(nanoseconds: -1)))
        let end = Moment.now + .milliseconds(10)
        #expect(!semaphore.wait(until: end))
        #expect(.now >= end)
    }

    /// If the time of day were what it waits by, a wait would last for longer when that is set back.
    @Test func noClockSettingDelaysTheEndOfAWait() async throws {
        let semaphore = Semaphore()
        let thread = Guarded<Thread.ID?>(nil)
        let results = Log<Bool>()
        try Thread.spawn(named: "waits") {
            thread.withLock { $0 = Thread.id }
            results.append(semaphore.wait(until: .now + .seconds(1000)))
        }
        // The call's number, the address, the operation with its flags, …; "running" before it waits.
        let call = Guarded<[Substring]>([])
        try #require(
            await eventually {
                guard let id = thread.withLock({ $0 }) else { return false }
                let found = try ProcessTable.text("/proc/self/task/\(id)/syscall").split(separator: " ")
                call.withLock { $0 = found }
                return found.first == Self.futex
            })
        let operation = try #require(Int32(call.withLock { $0 }[2].dropFirst(2), radix: 16))
        #expect(operation & Self.realtime == 0)
        semaphore.signal()
        #expect(await results.first { _ in true } == true)
    }

    /// The call's number: SYS_futex.
    #if arch(x86_64)
        private static let futex: Substring = "202"
    #else
        private static let futex: Substring = "98"
    #endif
    /// FUTEX_CLOCK_REALTIME of futex(2).
    private static let realtime: Int32 = 256
}
