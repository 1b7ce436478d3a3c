import GroupFiles
import Synchronization

extension ObservableValue where Element: Equatable {
    /// Calls the handler when the value is different from the one seen last, and at first from the present one.
    func observeChanges(_ handler: @escaping @Sendable () -> Void) -> Subscription {
        let seen = Mutex(value)
        return sink { value in
            let isNew = seen.withLock { seen in
                defer { seen = value }
                return seen != value
            }
            if isNew { handler() }
        }
    }
}
