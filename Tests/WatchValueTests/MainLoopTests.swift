import SystemCalls
import TestSupport
import Testing

@testable import WatchValueCommand

/// What the main thread learns when several things have happened.
struct MainLoopTests {
    private enum Told: Equatable {
        case woken, timedOut
    }

    /// What the loop reports when it is woken again each time. Runs on a thread of its own, because the loop blocks the
    /// signals there.
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

    /// Values that arrive faster than they are printed do not delay the end of `--timeout`. But a value that has
    /// arrived when the time is up counts as in time.
    @Test func whatWakesAgainAndAgainHidesNoDeadline() throws {
        #expect(try tellings(of: 3, until: .now) == [.woken, .timedOut, .timedOut])
    }

    @Test func aDeadlineThatIsFarIsNotTold() throws {
        #expect(try tellings(of: 3, until: .now + .seconds(3600)) == [.woken, .woken, .woken])
    }
}
