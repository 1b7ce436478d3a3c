import SystemCalls

/// Lets only so many in at a time; the others wait in line. For tests that would overload the machine if all ran at
/// once.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// Guarded by its lock.
    private let state: Guarded<State>

    package init(_ most: Int) {
        state = Guarded(State(free: most))
    }

    package func whileInside<R>(_ body: () async throws -> R) async rethrows -> R {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
        defer {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                if state.waiting.isEmpty {
                    state.free += 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            next?.resume()
        }
        return try await body()
    }
}
