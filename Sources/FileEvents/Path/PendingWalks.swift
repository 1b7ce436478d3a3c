import SystemCalls

/// Walks of paths that events have caused, and that have not ended: what is to come after these events waits for them.
///
/// 1. A walk *begins* when its job is queued, and *ends* when the job is done.
/// 2. Actions *wait* for those walks that have begun before; each that ends may make some ready.
/// 3. They do not wait *for ever*: a file system on the way may not answer.
final class PendingWalks: Sendable {
    private struct Waiting {
        var walks: Set<UInt64>
        let actions: [ThreadPool.Job]
    }

    private struct State {
        var last: UInt64 = 0
        var walks: Set<UInt64> = []
        var waiting: [UInt64: Waiting] = [:]

        mutating func makeNumber() -> UInt64 {
            last += 1
            return last
        }
    }

    private static let patience = Duration.seconds(1)
    static let shared = PendingWalks()

    /// Nothing is called under it.
    private let state = Guarded(State())

    func begin() -> UInt64 {
        state.withLock { state in
            let walk = state.makeNumber()
            state.walks.insert(walk)
            return walk
        }
    }

    func end(_ walk: UInt64) {
        let ready = state.withLock { state -> [Waiting] in
            state.walks.remove(walk)
            var ready: [Waiting] = []
            for (number, waiting) in state.waiting.sorted(by: { $0.key < $1.key }) where waiting.walks.contains(walk) {
                if waiting.walks.count == 1 {
                    state.waiting[number] = nil
                    ready.append(waiting)
                } else {
                    state.waiting[number]?.walks.remove(walk)
                }
            }
            return ready
        }
        for waiting in ready { run(waiting.actions) }
    }

    /// Runs `actions` in turn, once the walks that have begun until now have ended.
    func whenOver(_ actions: [ThreadPool.Job]) {
        if actions.isEmpty { return }
        let number = state.withLock { state -> UInt64? in
            if state.walks.isEmpty { return nil }
            let number = state.makeNumber()
            state.waiting[number] = Waiting(walks: state.walks, actions: actions)
            return number
        }
        guard let number else { return run(actions) }
        ThreadPool.shared.schedule(at: .now + Self.patience) { [self] in
            if let waiting = state.withLock({ $0.waiting.removeValue(forKey: number) }) { run(waiting.actions) }
        }
    }

    private func run(_ actions: [ThreadPool.Job]) {
        ThreadPool.shared.execute(inTurn: actions, isUrgent: true)
    }
}
