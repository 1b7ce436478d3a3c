import SystemCalls
import Testing

@testable import WatchValueCommand

/// What a signal does to an update at each stage.
struct UpdateProgressTests {
    private let child: ChildProcess

    init() throws {
        let input = try FileDescriptor.holding([])
        child = try ChildProcess.spawn(["true"], input: input, environment: [], leadsGroup: false)
        _ = try child.wait()
    }

    /// The main thread ends the process at once, even if the lock is acquired at that very moment.
    @Test func nothingIsStartedAfterASignal() throws {
        let progress = try UpdateProgress()
        guard case .atOnce = progress.interrupt(EndingSignal(.terminate)) else { throw Unexpected() }
        #expect(progress.starting() == EndingSignal(.terminate))
    }

    @Test func aSignalWhileItStartsIsForTheChild() throws {
        let progress = try UpdateProgress()
        #expect(progress.starting() == nil)
        guard case .whenStarted = progress.interrupt(EndingSignal(.quit)) else { throw Unexpected() }
        #expect(progress.started(child) == EndingSignal(.quit))
        guard case .child(let child) = progress.interrupt(EndingSignal(.terminate)) else { throw Unexpected() }
        #expect(child.identifier == self.child.identifier)
        #expect(progress.signal == EndingSignal(.terminate))
    }

    /// What comes from the terminal has reached the child already.
    @Test(arguments: [(Signal.interrupt, true), (.quit, true), (.hangup, true), (.alarm, false), (.terminate, false)])
    func notAllThatTheKernelSendsComesFromTheTerminal(_ signal: Signal, isFromTerminal: Bool) {
        #expect(EndingSignal(signal, isFromKernel: true).isFromTerminal == isFromTerminal)
        #expect(!EndingSignal(signal).isFromTerminal)
    }

    private struct Unexpected: Error {}
}
