import Glibc
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

    /// Whoever waits for signals sees the effect of all that came before.
    @Test func signalsThatCameAreReturnedBeforeSomebodyGoesOn() throws {
        let told = Log<Signal>()
        let started = Log<(loop: MainLoop, thread: pthread_t)>()
        let ended = Gate()
        let count = 1_000
        try Thread.spawn(named: "test-loop") {
            defer { ended.open() }
            do throws(Failure) {
                let loop = try MainLoop()
                started.append((loop, pthread_self()))
                var isOver = false
                while !isOver {
                    switch try loop.wait(until: nil) {
                    case .ended(let signal):
                        told.append(signal.signal)
                        isOver = signal.signal == .terminate
                    case .signal, .woken, .timedOut, .outputClosed: break
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        try waitUntil("the loop") { !started.elements.isEmpty }
        let (loop, thread) = try #require(started.elements.first)
        let late = Log<Int>()
        try Thread.spawn(named: "test-sender") {
            for number in 1...count {
                // It may be awake already.
                if number.isMultiple(of: 2) { loop.wake() }
                pthread_kill(thread, SIGUSR1)
                loop.waitForSignals()
                if told.elements.count != number { late.append(number) }
            }
            pthread_kill(thread, SIGTERM)
        }
        #expect(ended.wait())
        #expect(late.elements == [])
        #expect(told.elements == Array(repeating: .user1, count: count) + [.terminate])
    }
}
