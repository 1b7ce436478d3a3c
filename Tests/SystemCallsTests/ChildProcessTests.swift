import TestSupport
import Testing

@testable import SystemCalls

struct ChildProcessTests {
    /// Asking whether a child has ended does not reap it: the caller can still wait for it, and its group exists until
    /// then.
    @Test func lookingForItsEndLeavesItToBeWaitedFor() async throws {
        var pipe = try PipeEnds()
        let child = try ChildProcess.spawn(
            ["sh", "-c", "read x; exit 3"], input: pipe.reading, environment: [], leadsGroup: true)
        #expect(try !child.hasEnded())
        pipe.closeWriting()
        #expect(try await eventually { try child.hasEnded() })
        #expect(try child.stoppingSignal() == nil)
        #expect(try child.hasEnded())
        #expect(ProcessTable.isAlive(child.identifier))
        try child.send(.kill)
        #expect(try child.waitWithoutReaping() == .exited(3))
        #expect(try child.waitWithoutReaping() == .exited(3))
        #expect(try child.wait() == .exited(3))
        #expect(throws: Errno.self) { () throws(Errno) in try child.hasEnded() }
    }

    /// A stop is reported once, and the stopped child takes a signal that is sent together with a wake-up.
    @Test func whatIsStoppedIsWoken() async throws {
        let input = try FileDescriptor.holding([])
        let child = try ChildProcess.spawn(
            ["sh", "-c", "trap 'exit 3' TERM; kill -TTIN $$; exit 4"], input: input, environment: [], leadsGroup: true)
        #expect(try await eventually { try child.stoppingSignal() == .terminalInput })
        #expect(try child.stoppingSignal() == nil)
        try child.sendWaking(.terminate)
        try #require(try await eventually { try child.hasEnded() })
        #expect(try child.wait() == .exited(3))
    }

    /// The program would get this process's own output instead.
    @Test func noProgramIsStartedWithoutTheOutputItWasToHave() throws {
        let input = try FileDescriptor.holding([])
        #expect(throws: Errno.badDescriptor) { () throws(Errno) in
            try ChildProcess.spawn(["true"], input: input, output: -1, environment: [], leadsGroup: false)
        }
    }
}
