import Observables
import SystemCalls

/// A store that knows which values it holds.
protocol NamesStore: ContentStore {
    /// The names of the values that are there, sorted.
    func names() throws(GroupFileError) -> [String]
    /// Whether a value of that name is there; throws if that cannot be told.
    func holdsValue(named name: String) throws(Errno) -> Bool
    /// Notifies `listener`, without keeping it alive, from now on until the subscription ends.
    func watchNames(for listener: any NamesListener) -> Subscription
}

/// A listener for the names of values. Called on a thread of the library, outside of any lock.
protocol NamesListener: AnyObject, Sendable {
    /// Values of these names, or of any names if it is nil, may have been created or removed. `isSettled`: a removed
    /// one is not about to be created again. True if something had changed.
    @discardableResult
    func namesMayHaveChanged(_ names: Set<ExactName>?, isSettled: Bool) -> Bool
}
