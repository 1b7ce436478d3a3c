import SystemCalls

/// Who is at a path, and what is told of it meanwhile. To walk it may last for ever, where a file system on the way does
/// not answer: who reads events does not wait for that. Pure.
///
/// Whoever is about to take a batch, or to walk the path, *enters*. A batch that finds somebody there *waits*. The last one
/// to *leave* takes what has waited, and stays for it.
struct EventBacklog {
    typealias Batch = (events: [InotifyEvent], lostEvents: Bool)

    enum Rest {
        case nothing
        case batch(Batch)
        /// It is for who leaves to let go of everything.
        case cancelled
    }

    /// Beyond that it is as if the kernel had dropped them.
    static let mostEvents = 1024

    private var waiting: Batch = ([], false)
    private var present = 0
    private(set) var isCancelled = false

    mutating func enter() { present += 1 }

    /// False where the batch waits, or nobody wants it any more.
    mutating func enter(with events: [InotifyEvent], lostEvents: Bool) -> Bool {
        if isCancelled { return false }
        if present == 0 {
            present = 1
            return true
        }
        waiting.events += events
        waiting.lostEvents = waiting.lostEvents || lostEvents
        if waiting.events.count > Self.mostEvents { waiting = ([], true) }
        return false
    }

    mutating func leave() -> Rest {
        if present == 1 {
            if isCancelled {
                present = 0
                return .cancelled
            }
            if waiting.lostEvents || !waiting.events.isEmpty {
                defer { waiting = ([], false) }
                return .batch(waiting)
            }
        }
        present -= 1
        return .nothing
    }

    /// True where nobody is there: the caller lets go of everything.
    mutating func cancel() -> Bool {
        defer { isCancelled = true }
        return !isCancelled && present == 0
    }
}
