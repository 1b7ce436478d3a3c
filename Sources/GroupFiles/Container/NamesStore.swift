import Observables
import SystemCalls

/// A store that knows which values it holds.
protocol NamesStore: ContentStore {
    /// The names of the values that are there, sorted.
    func names() throws(GroupFileError) -> [String]
    /// Whether a value of that name is there; throws if that cannot be determined.
    func holdsValue(named name: String) throws(Errno) -> Bool
    /// Notifies `names`, without keeping it alive, on a thread of the library and outside of any lock, from now on until
    /// the subscription ends.
    func watchNames(for names: any NamesListener) -> Subscription
}
