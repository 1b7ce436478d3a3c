import SystemCalls

/// What a ``PathWatch`` has still to do, in order: one job at a time works it off.
struct PathTasks {
    enum Task {
        case events([InotifyEvent], lostEvents: Bool)
        case walk
    }

    /// Whoever waits for a file system that does not answer keeps no more: then anything may have happened.
    private static let most = 64

    private var waiting: [Task] = []
    private var hasJob = false

    /// Whether nothing waits, or is being done.
    var isEmpty: Bool { !hasJob }

    /// True where a job is to be begun.
    mutating func append(_ task: Task) -> Bool {
        if waiting.count == Self.most { waiting = [.events([], lostEvents: true)] } else { waiting.append(task) }
        defer { hasJob = true }
        return !hasJob
    }

    /// Nil at the end, and then the job is over.
    mutating func next() -> Task? {
        if waiting.isEmpty {
            hasJob = false
            return nil
        }
        return waiting.removeFirst()
    }
}
