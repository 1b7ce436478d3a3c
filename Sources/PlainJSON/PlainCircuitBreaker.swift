import Synchronization

/// Decides whether plain coding is worth trying.
///
/// Where contents are hardly ever plain, it soon leaves them to `JSONDecoder` and `JSONEncoder`, but still tries one
/// now and then: other files of the same type may hold plain contents.
final class PlainCircuitBreaker: Sendable {
    private static let limit = 16

    /// Failed attempts, and contents that were not tried, since the last success.
    private let failures = Atomic<Int>(0)

    /// Whether to try this content; if so, the caller passes the result to ``record(isPlain:)``.
    func allowsAttempt() -> Bool {
        let count = failures.load(ordering: .relaxed)
        if count < Self.limit { return true }
        return failures.add(1, ordering: .relaxed).newValue.isMultiple(of: Self.limit)
    }

    /// Records the result of an attempt.
    func record(isPlain: Bool) {
        if !isPlain {
            failures.add(1, ordering: .relaxed)
        } else if failures.load(ordering: .relaxed) > 0 {
            failures.store(0, ordering: .relaxed)
        }
    }
}
