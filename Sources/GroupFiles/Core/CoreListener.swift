/// A `GroupFile`, as its core sees it: a core knows nothing of value types. `offer` and `take` are called under the
/// core's lock, and only take note; `acceptOfferAsJob` follows outside of it.
protocol CoreListener: AnyObject, Sendable {
    var maximumSize: Int { get }
    /// Takes note of what is there now. True if a job has to call `acceptOfferAsJob`, because none is on its way.
    func offer(_ publication: Publication, from core: FileCore) -> Bool
    /// The same for a caller that goes on by itself, and wants no job.
    func take(_ publication: Publication, from core: FileCore)
    /// Accepts what was offered last; called as a job of the pool, and may call handlers.
    func acceptOfferAsJob()
}
