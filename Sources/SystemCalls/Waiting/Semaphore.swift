import CSystemCalls

/// A counting semaphore: sem_init(3). Its timed waits follow ``Moment``'s clock; on Linux those of dispatch follow the
/// time of day, and last for longer when that is set back.
package final class Semaphore: Sendable {
    private let raw = cs_semaphore_create()

    package init() {}

    deinit { cs_semaphore_destroy(raw) }

    package func signal() { cs_semaphore_post(raw) }

    /// Blocks until it is signalled.
    package func wait() { cs_semaphore_wait(raw) }

    /// False if it was not signalled before `end`; nil waits for ever.
    package func wait(until end: Moment?) -> Bool {
        guard let end else {
            wait()
            return true
        }
        return cs_semaphore_wait_until(raw, max(0, end.nanoseconds))
    }
}
