import Dispatch
import Synchronization

/// What the programs that were started do, in the order in which it is noticed; threads put it in, one takes it out.
final class Inbox: Sendable {
    enum Event: Sendable {
        case line(String, from: String)
        case ended(String)
        /// Ctrl-C, or another signal to end.
        case interrupted
    }

    private let events = Mutex<[Event]>([])
    private let count = DispatchSemaphore(value: 0)

    func put(_ event: Event) {
        events.withLock { $0.append(event) }
        count.signal()
    }

    /// Blocks until there is one; nil at the deadline.
    func take(before deadline: DispatchTime) -> Event? {
        guard count.wait(timeout: deadline) == .success else { return nil }
        return events.withLock { $0.removeFirst() }
    }
}
