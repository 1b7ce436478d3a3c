import Observables
import SystemCalls

extension ObservableValue {
    /// Like `first(timeout:clock:where:)`, but checks `current` at once, and reports a timeout as an error of the value
    /// at `path`, about `subject` if given.
    nonisolated(nonsending) func first(
        of current: Element, timeout: Duration, _ path: String, _ subject: String? = nil,
        where predicate: @escaping @Sendable (Element) -> Bool
    ) async throws -> Element {
        // The thread that delivers may be busy, and the time short.
        if HandlerScope.run({ predicate(current) }) { return current }
        do {
            return try await first(timeout: timeout, clock: ContinuousClock(), where: predicate)
        } catch let error as TimedOut {
            throw GroupFileError(.timedOut, path: path, (subject.map { "\($0): " } ?? "") + error.description)
        }
    }
}
