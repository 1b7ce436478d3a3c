import Observables
import SystemCalls

/// The defaults that are registered for each suite in this process. As with `UserDefaults`, all objects of a suite
/// share them, and they last as long as the process: one object may register what another reads.
final class RegisteredDefaults: Sendable {
    static let shared = RegisteredDefaults()

    /// Published when anything is registered.
    let changes = Channel(())
    /// By the path of the suite's container.
    private let values = Guarded<[ExactName: [ExactName: StoredJSON]]>([:])

    private init() {}

    /// Adds to what is registered for the suite in a container; nil drops what was registered for a key.
    func register(_ new: [ExactName: StoredJSON?], for container: GroupContainer) {
        // In a forked child the lock may be held for ever.
        if CurrentProcess.isForked { return }
        values.withLock { values in
            for (key, value) in new { values[ExactName(container.path), default: [:]][key] = value }
        }
        changes.publish(()).run()
    }

    /// By key.
    func values(for container: GroupContainer) -> [ExactName: StoredJSON] {
        if CurrentProcess.isForked { return [:] }
        return values.withLock { $0[ExactName(container.path)] ?? [:] }
    }
}
