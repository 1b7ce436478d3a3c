import Dispatch

/// Threads that are to look again as soon as something has happened.
struct Waiters: Sendable {
    private var semaphores: [ObjectIdentifier: DispatchSemaphore] = [:]

    mutating func insert(_ waiter: DispatchSemaphore) { semaphores[ObjectIdentifier(waiter)] = waiter }
    mutating func remove(_ waiter: DispatchSemaphore) { semaphores[ObjectIdentifier(waiter)] = nil }

    /// Each has to be inserted again if it goes on waiting.
    mutating func wakeAll() {
        if semaphores.isEmpty { return }
        for waiter in semaphores.values { waiter.signal() }
        semaphores = [:]
    }
}
