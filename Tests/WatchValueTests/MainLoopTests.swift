import SystemCalls
import TestSupport
import Testing

@testable import WatchValueCommand

/// What the main thread is told when several things have happened.
struct MainLoopTests {
    private enum Told: Equatable {
        case woken, timedOut
    }

    /// On a thread of its own, which then blocks the signals: what the loop tells if it is woken again each time.
    private func tellings(of count: Int, until moment: Moment) throws -> [Told] {
        let told = Log<Told>()
        let ended = Gate()
        try Thread.spawn(named: "test-loop") {
            defer { ended.open() }
            do throws(Failure) {
                let loop = try MainLoop()
                while told.elements.count < count {
                    loop.wake()
                    switch try loop.wait(until: moment) {
                    case .woken: told.append(.woken)
                    case .timedOut: told.append(.timedOut)
                    case .signal, .ended, .outputClosed: break
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(ended.wait())
        return told.elements
    }

    /// Values that come faster than they are printed do not put off the end of `--timeout`; but one that is there when the
    /// time is up has come in time.
    @Test func whatWakesAgainAndAgainHidesNoDeadline() throws {
        #expect(try tellings(of: 3, until: .now) == [.woken, .timedOut, .timedOut])
    }

    @Test func aDeadlineThatIsFarIsNotTold() throws {
        #expect(try tellings(of: 3, until: .now + .seconds(3600)) == [.woken, .woken, .woken])
    }
}
