import Dispatch
import SystemCalls
import TestSupport
import Testing

struct ThreadSliceTests {
    private typealias Thread = SystemCalls.Thread

    private struct Found {
        var before: Int64?
        var short: Int64?
        var ofThread: Int64?
        var ofProgram: Int64?
        var after: Int64?
    }

    @Test(.enabled(if: Slices.canBeSet))
    func aShortSliceIsTheThreadsAlone() async throws {
        let slices = try await blocking {
            let found = Guarded(Found())
            let isDone = DispatchSemaphore(value: 0)
            try Thread.spawn(named: "slices") {
                defer { isDone.signal() }
                do throws(Errno) { try look(found) } catch { Issue.record(error) }
            }
            isDone.wait()
            return found.withLock { $0 }
        }
        #expect(slices.short == 100_000)
        let usual = try #require(Thread.slice(of: 0))
        #expect(usual != 100_000)
        for slice in [slices.before, slices.ofThread, slices.ofProgram, slices.after] { #expect(slice == usual) }
    }

    private func look(_ found: borrowing Guarded<Found>) throws(Errno) {
        var slices = Found()
        slices.before = Thread.slice(of: 0)
        Thread.setSlice(nanoseconds: 100_000)
        slices.short = Thread.slice(of: 0)

        let ofThread = Guarded<Int64?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        try Thread.spawn(named: "child") {
            ofThread.withLock { $0 = Thread.slice(of: 0) }
            isDone.signal()
        }
        isDone.wait()
        slices.ofThread = ofThread.withLock { $0 }

        let input = try PipeEnds()
        let child = try ChildProcess.spawn(["cat"], input: input.reading, environment: [], leadsGroup: false)
        slices.ofProgram = Thread.slice(of: child.identifier)
        _ = try child.send(.kill)
        _ = try child.wait()

        Thread.setSlice(nanoseconds: nil)
        slices.after = Thread.slice(of: 0)
        found.withLock { $0 = slices }
    }
}
