import Synchronization

/// Whether the plain way is worth trying: a type that it cannot do is tried once, and contents that are hardly ever plain
/// are soon left to the others too.
final class PlainTrial: Sendable {
    private static let limit = 16

    /// Attempts in vain since the last that was not.
    private let failures = Atomic<Int>(0)

    var isOn: Bool { failures.load(ordering: .relaxed) < Self.limit }

    func end(_ doubt: PlainDoubt?) {
        switch doubt {
        case nil: if failures.load(ordering: .relaxed) > 0, isOn { failures.store(0, ordering: .relaxed) }
        case .content: failures.add(1, ordering: .relaxed)
        case .type: failures.store(Self.limit, ordering: .relaxed)
        }
    }
}
