import Observables
import SystemCalls

/// A store that knows which values it holds.
protocol NamesStore: ContentStore {
    /// The names of the values that are there, sorted.
    func names() throws(GroupFileError) -> [String]
    /// Whether a value of that name is there; throws where it cannot be told.
    func holdsValue(named name: String) throws(Errno) -> Bool
    /// Tells `listener`, which it does not keep, from now on and until the subscription ends.
    func watchNames(for listener: any NamesListener) -> Subscription
}

/// A listener that wants to know which values there are. Told on a thread of the library, outside of any lock.
protocol NamesListener: AnyObject, Sendable {
    /// Values of these names, or of any where it is nil, may have come or gone. `isSettled`: what is gone is not about to
    /// be made again. True where something had changed.
    @discardableResult
    func namesMayHaveChanged(_ names: Set<ExactName>?, isSettled: Bool) -> Bool
}
