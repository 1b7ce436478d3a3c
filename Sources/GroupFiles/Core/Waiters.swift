import SystemCalls

/// Threads that are to look again as soon as something has happened.
struct Waiters: Sendable {
    private var semaphores: [ObjectIdentifier: Semaphore] = [:]

    mutating func insert(_ waiter: Semaphore) { semaphores[ObjectIdentifier(waiter)] = waiter }
    mutating func remove(_ waiter: Semaphore) { semaphores[ObjectIdentifier(waiter)] = nil }

    /// Each has to be inserted again if it goes on waiting.
    mutating func wakeAll() {
        if semaphores.isEmpty { return }
        for waiter in semaphores.values { waiter.signal() }
        semaphores = [:]
    }
}
