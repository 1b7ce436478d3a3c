import Observables

extension ObservableValue {
    /// `first`, where `current` is asked at once, and running out of time is an error of the value at `path`, or of what
    /// `subject` says of it.
    nonisolated(nonsending) func first(
        of current: Element, timeout: Duration, _ path: String, _ subject: String? = nil,
        where predicate: @escaping @Sendable (Element) -> Bool
    ) async throws -> Element {
        // Whoever delivers may be busy, and the time short.
        if predicate(current) { return current }
        do {
            return try await first(timeout: timeout, clock: ContinuousClock(), where: predicate)
        } catch let error as TimedOut {
            throw GroupFileError(.timedOut, path: path, (subject.map { "\($0): " } ?? "") + error.description)
        }
    }
}
