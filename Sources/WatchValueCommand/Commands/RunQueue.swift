import JSONText

/// Which value COMMAND runs for next, and when: never twice in a row for the same one, unless the first run was stopped,
/// or the value was missing in between. Pure.
struct RunQueue: Sendable {
    enum Action: Sendable {
        /// Nil for a value that was removed.
        case start(JSONValue?)
        case stop
    }

    private enum Run {
        case none
        /// Without a value if that was removed.
        case with(JSONValue?)
    }

    let policy: BusyPolicy
    private var isRunning = false
    private var isStopping = false
    /// The newest run, unless it was stopped, or the value has been missing since.
    private var last = Run.none
    private var next = Run.none

    init(_ policy: BusyPolicy) {
        self.policy = policy
    }

    mutating func changed(_ value: JSONValue?) -> Action? {
        if value == nil, case .with(_?) = last { last = .none }
        guard isRunning else { return start(value) }
        if policy == .skip { return nil }
        next = .with(value)
        if policy == .queue || isStopping { return nil }
        isStopping = true
        return .stop
    }

    /// `wasStopped`: COMMAND was asked to end, so it may not have done all of its work.
    mutating func ended(wasStopped: Bool) -> Action? {
        isRunning = false
        isStopping = false
        if wasStopped { last = .none }
        guard case .with(let value) = next else { return nil }
        next = .none
        return start(value)
    }

    private mutating func start(_ value: JSONValue?) -> Action? {
        if case .with(let known) = last, isSame(known, value) { return nil }
        isRunning = true
        last = .with(value)
        return .start(value)
    }

    /// Whether COMMAND gets the same input for both, byte by byte.
    private func isSame(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.description.hasSameScalars(as: b.description)
    }
}
