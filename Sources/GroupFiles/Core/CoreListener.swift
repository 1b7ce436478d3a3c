/// A `GroupFile`, as its core sees it: a core knows no type of values. `offer` and `take` are called under the core's lock,
/// and only take note; `acceptOffer` comes after them, outside.
protocol CoreListener: AnyObject, Sendable {
    var maximumSize: Int { get }
    /// Takes note of what is there now. True where a job is to call `acceptOffer`: no other one is on its way.
    func offer(_ publication: Publication, from core: FileCore) -> Bool
    /// The same where the caller sees to the rest, and no job is wanted.
    func take(_ publication: Publication, from core: FileCore)
    /// Called as a job of the pool.
    func acceptOffer()
}
