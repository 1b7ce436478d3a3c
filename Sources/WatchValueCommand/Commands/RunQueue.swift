import JSONText

/// Which value COMMAND runs for next, and when. Pure.
struct RunQueue: Sendable {
    enum Policy: String, Sendable {
        /// Runs follow each other; of the values that wait, only the newest is kept.
        case queue
        /// A run is stopped for a newer value.
        case restart
        /// Values that come during a run are left out.
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
