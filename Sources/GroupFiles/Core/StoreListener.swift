/// A value as its store sees it: it has to know which core it belongs to.
protocol StoreListener: CoreListener {
    var name: String { get }
    /// From now on its content is this core's.
    func attach(to core: FileCore)
    /// The store's `health` may have changed.
    func healthChanged()
    /// Takes what was offered last; `isForced`: whatever it is, it counts.
    func acceptOffer(isForced: Bool)
}

struct WeakStoreListener: Sendable {
    weak let listener: (any StoreListener)?
}
