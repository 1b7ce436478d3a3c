import JSONText

/// Which value COMMAND runs for next, and when. Pure.
struct RunQueue: Sendable {
    enum Policy: String, Sendable {
        /// One after the other; of those that wait the newest.
        case queue
        /// What runs is stopped for the newest.
        case restart
        /// What comes while it runs is left out.
        case skip
    }

    enum Action: Sendable {
        /// Nil for a value that was removed.
        case start(JSONValue?)
        case stop
    }

    private enum Next {
        case nothing
        case run(JSONValue?)
    }

    let policy: Policy
    private var isRunning = false
    private var isStopping = false
    private var next = Next.nothing

    init(_ policy: Policy) {
        self.policy = policy
    }

    mutating func changed(_ value: JSONValue?) -> Action? {
        guard isRunning else {
            isRunning = true
            return .start(value)
        }
        if policy == .skip { return nil }
        next = .run(value)
        if policy == .queue || isStopping { return nil }
        isStopping = true
        return .stop
    }

    mutating func ended() -> Action? {
        isRunning = false
        isStopping = false
        guard case .run(let value) = next else { return nil }
        next = .nothing
        isRunning = true
        return .start(value)
    }
}
