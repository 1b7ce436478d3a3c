import Synchronization

/// Whether the plain way is worth trying.
///
/// Contents that are hardly ever plain are soon left to the others, but for one now and then: other files of the same type
/// may hold plain ones.
final class PlainCircuitBreaker: Sendable {
    private static let limit = 16

    /// Attempts in vain since the last that was not, and what was not tried since.
    private let failures = Atomic<Int>(0)

    /// Whether this content is to be tried; then ``record(_:)`` is to be told of it.
    func allowsAttempt() -> Bool {
        let count = failures.load(ordering: .relaxed)
        if count < Self.limit { return true }
        return failures.add(1, ordering: .relaxed).newValue.isMultiple(of: Self.limit)
    }

    /// What came of the attempt.
    func record(isPlain: Bool) {
        if !isPlain {
            failures.add(1, ordering: .relaxed)
        } else if failures.load(ordering: .relaxed) > 0 {
            failures.store(0, ordering: .relaxed)
        }
    }
}
