import SystemCalls

/// Limits how many walks of paths, and looks at what the paths lead to, run at once, to half of the pool's threads: a
/// file system that does not answer may keep each of them, and reading events and calling handlers need threads as
/// well.
///
/// 1. A walk *runs* on the thread that asks for it, or *waits* if that many are running.
/// 2. A walk that ends *passes its place on* to the one that has waited longest.
package final class WalkSlots: Sendable {
    private struct State {
        var free: Int
        var waiting: [ThreadPool.Job] = []
    }

    package static let shared = WalkSlots(32)

    /// Guards all that changes; nothing is called under it.
    private let state: Guarded<State>

    init(_ count: Int) {
        state = Guarded(State(free: count))
    }

    /// Runs the walk before this returns, or later, in a job.
    package func run(_ walk: @escaping ThreadPool.Job) {
        let isFree = state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return true
            }
            state.waiting.append(walk)
            return false
        }
        if isFree { runInPlace(walk) }
    }

    private func runInPlace(_ walk: ThreadPool.Job) {
        walk()
        let next = state.withLock { state -> ThreadPool.Job? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        if let next { ThreadPool.shared.execute({ self.runInPlace(next) }, isUrgent: true) }
    }
}
