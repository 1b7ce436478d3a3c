import GroupFiles
import Synchronization

extension ObservableValue where Element: Equatable {
    /// Calls the handler when the value differs from the last one seen, which at first is the present one.
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
