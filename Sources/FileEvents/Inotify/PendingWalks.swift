import SystemCalls

/// Walks of paths that events have caused and that have not ended: a barrier behind those events waits for them.
///
/// 1. A walk *begins* when its job is queued, and *ends* when the job is done.
/// 2. Actions *wait* for all walks that have begun before them; each walk that ends may make some ready.
/// 3. After a second they *run* in any case: a file system on the way may not answer. From then on, nothing waits for
///    the walks that held them up.
final class PendingWalks: Sendable {
    private struct Waiting {
        /// The last walk that began before the actions were added.
        let walk: UInt64
        let actions: [ThreadPool.Job]
    }

    private struct State {
        var last: UInt64 = 0
        /// The walks that have begun and that have neither ended nor been given up.
        var walks: Set<UInt64> = []
        /// No walk before this one is pending. Stored, not searched for at each end of a walk: thousands may be pending
        /// at once.
        var first: UInt64 = 1
        /// In the order in which they came.
        var waiting: [Waiting] = []

        mutating func end(_ walk: UInt64) {
            walks.remove(walk)
            skipEnded()
        }

        /// Stops waiting for `walk` and for all walks that began before it.
        mutating func giveUp(through walk: UInt64) {
            guard first <= walk else { return }
            walks = walks.filter { $0 > walk }
            first = walk + 1
            skipEnded()
        }

        private mutating func skipEnded() {
            while first <= last, !walks.contains(first) { first += 1 }
        }

        /// Takes out the actions that wait for no walk later than this one.
        mutating func take(through walk: UInt64) -> [ThreadPool.Job] {
            let ready = waiting.prefix { $0.walk <= walk }
            waiting.removeFirst(ready.count)
            return ready.flatMap(\.actions)
        }
    }

    private static let patience = Duration.seconds(1)
    static let shared = PendingWalks()

    /// Guards all that changes; nothing is called under it.
    private let state = Guarded(State())

    /// Whether an action that is added now does not have to wait.
    var isEmpty: Bool { state.withLock(\.walks.isEmpty) }

    func begin() -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.walks.insert(state.last)
            return state.last
        }
    }

    func end(_ walk: UInt64) {
        run(
            state.withLock { state in
                state.end(walk)
                return state.take(through: state.first - 1)
            })
    }

    /// Runs `actions` in turn, once all walks that have begun until now have ended.
    func whenOver(_ actions: [ThreadPool.Job]) {
        if actions.isEmpty { return }
        let walk = state.withLock { state -> UInt64? in
            if state.walks.isEmpty { return nil }
            state.waiting.append(Waiting(walk: state.last, actions: actions))
            return state.last
        }
        guard let walk else { return run(actions) }
        ThreadPool.shared.schedule(at: .now + Self.patience) { [self] in
            run(
                state.withLock { state in
                    state.giveUp(through: walk)
                    return state.take(through: state.first - 1)
                })
        }
    }

    private func run(_ actions: [ThreadPool.Job]) {
        ThreadPool.shared.execute(inTurn: actions, isUrgent: true)
    }
}
