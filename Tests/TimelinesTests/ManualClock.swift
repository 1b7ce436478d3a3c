import Foundation
import SystemCalls
import TestSupport
import Timelines

/// A clock that stands still until a test sets it, and knows who sleeps by it.
final class ManualClock: TimelineClock {
    private struct Sleeper {
        let date: Date
        let awake: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Date
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var last = 0
    }

    /// Guards itself. Nobody is woken while its lock is held.
    private let state: Guarded<State>
    /// The dates until which tasks sleep, after each change.
    private let sleeps = Log<[Date]>()

    init(_ now: Date) {
        state = Guarded(State(now: now))
    }

    var now: Date { state.withLock(\.now) }

    /// Wakes the sleepers whose date has come, or all of them if the clock is set back.
    func set(_ now: Date) {
        change { state in
            let isSetBack = now < state.now
            state.now = now
            let due = state.sleepers.filter { $0.value.date <= now || isSetBack }
            for key in due.keys { state.sleepers[key] = nil }
            return Array(due.values)
        }
    }

    func sleep(until date: Date) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { awake in
                change { state in
                    let sleeper = Sleeper(date: date, awake: awake)
                    if date <= state.now || state.cancelled.remove(number) != nil { return [sleeper] }
                    state.sleepers[number] = sleeper
                    return []
                }
            }
        } onCancel: {
            change { state in
                if let sleeper = state.sleepers.removeValue(forKey: number) { return [sleeper] }
                state.cancelled.insert(number)
                return []
            }
        }
        try Task.checkCancellation()
    }

    /// Whether somebody sleeps until then, and nobody until another date. Waits for that until the test's deadline.
    func sleeps(until date: Date) async -> Bool {
        await sleeps.reach { $0.last == [date] }
    }

    var isAnybodyAsleep: Bool { state.withLock { !$0.sleepers.isEmpty } }

    private func change(_ body: (inout State) -> [Sleeper]) {
        let woken = state.withLock { state in
            let woken = body(&state)
            sleeps.append(state.sleepers.values.map(\.date))
            return woken
        }
        for sleeper in woken { sleeper.awake.resume() }
    }
}
