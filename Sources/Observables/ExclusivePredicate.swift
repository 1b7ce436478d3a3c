import SystemCalls

/// Evaluates a predicate, one call at a time. Handlers never overlap each other, but the last evaluation is made
/// outside of them. A `cancel()` within the predicate does not wait, not even in that last evaluation.
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

    /// Also false if another thread is evaluating the predicate at this moment, or if the last evaluation has been
    /// made.
    func holds(for element: Element, isLast: Bool = false) -> Bool {
        let isFree = phase.withLock { phase in
            let isFree = phase == .free
            if isFree { phase = .asking }
            return isFree
        }
        if !isFree { return false }
        defer { phase.withLock { $0 = isLast ? .over : .free } }
        return HandlerScope.run { predicate(element) }
    }
}
