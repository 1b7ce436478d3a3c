import TestSupport
import Testing

@testable import SystemCalls

struct ChildProcessTests {
    /// Who looks whether it has ended waits for it all the same; its group is there until then.
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

    /// Its stop is told once; a signal that wakes it is taken.
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

    /// It would have this process's own instead.
    @Test func noProgramIsStartedWithoutTheOutputItWasToHave() throws {
        let input = try FileDescriptor.holding([])
        #expect(throws: Errno.badDescriptor) { () throws(Errno) in
            try ChildProcess.spawn(["true"], input: input, output: -1, environment: [], leadsGroup: false)
        }
    }
}
