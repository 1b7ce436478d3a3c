import SystemCalls

/// Asks a predicate: handlers are called one at a time, but the last question is nobody's call.
final class ExclusivePredicate<Element: Sendable>: Sendable {
    private enum Phase {
        case free, asking, over
    }

    private let predicate: @Sendable (Element) -> Bool
    /// Guarded by its lock.
    private let phase = Guarded(Phase.free)

    init(_ predicate: @escaping @Sendable (Element) -> Bool) {
        self.predicate = predicate
    }

    /// False where another thread is just asking, or the last question was asked.
    func holds(for element: Element, isLast: Bool = false) -> Bool {
        let isFree = phase.withLock { phase in
            let isFree = phase == .free
            if isFree { phase = .asking }
            return isFree
        }
        if !isFree { return false }
        defer { phase.withLock { $0 = isLast ? .over : .free } }
        return predicate(element)
    }
}
