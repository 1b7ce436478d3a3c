import Synchronization

/// Whether the plain way is worth trying.
///
/// A type that it cannot do is tried once. Contents that are hardly ever plain are soon left to the others too, but for one
/// now and then: other files of the same type may hold plain ones.
final class PlainCircuitBreaker: Sendable {
    private static let limit = 16
    private static let never = Int.max / 2

    /// Attempts in vain since the last that was not, and what was not tried since.
    private let failures = Atomic<Int>(0)

    /// Whether this content is to be tried; then ``record(_:)`` is to be told of it.
    func allowsAttempt() -> Bool {
        let count = failures.load(ordering: .relaxed)
        if count < Self.limit { return true }
        if count >= Self.never { return false }
        return failures.add(1, ordering: .relaxed).newValue.isMultiple(of: Self.limit)
    }

    /// What came of the attempt.
    func record(_ doubt: PlainDoubt?) {
        switch doubt {
        case nil:
            let count = failures.load(ordering: .relaxed)
            if count > 0, count < Self.never { failures.store(0, ordering: .relaxed) }
        case .content: failures.add(1, ordering: .relaxed)
        case .type: failures.store(Self.never, ordering: .relaxed)
        }
    }
}
