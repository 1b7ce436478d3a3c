/// What a ``PathWatch`` still has to do, in order. One job at a time does all of it.
struct PathTasks {
    enum Task {
        case events([InotifyEvent], lostEvents: Bool)
        case walk(WalkReason)
    }

    /// While a file system does not answer, no more tasks are kept than these: beyond that, anything may have happened.
    private static let most = 64

    private var waiting: [Task] = []
    private var hasJob = false

    /// Whether nothing waits, and nothing is being done.
    var isEmpty: Bool { !hasJob }

    /// True if a job has to be started.
    mutating func append(_ task: Task) -> Bool {
        if waiting.count == Self.most { waiting = [.events([], lostEvents: true)] } else { waiting.append(task) }
        return !exchange(&hasJob, with: true)
    }

    /// The next task; nil if none is left, and then the job is over.
    mutating func next() -> Task? {
        if waiting.isEmpty {
            hasJob = false
            return nil
        }
        return waiting.removeFirst()
    }
}
