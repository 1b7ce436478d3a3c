/// A `GroupFile`, as its core sees it: a core knows nothing of value types. `offer` and `take` are called under the
/// core's lock, and only store the publication; `acceptOfferAsJob` is called later, outside of that lock.
protocol CoreListener: AnyObject, Sendable {
    var maximumSize: Int { get }
    /// Stores what is there now. True if the caller has to make a job that calls `acceptOfferAsJob`, because none is
    /// under way.
    func offer(_ publication: Publication, from core: FileCore) -> Bool
    /// Like `offer`, for a caller that makes sure itself that the listener accepts, and so needs no job.
    func take(_ publication: Publication, from core: FileCore)
    /// Accepts what was offered last; called as a job of the pool, and may call handlers.
    func acceptOfferAsJob()
}
