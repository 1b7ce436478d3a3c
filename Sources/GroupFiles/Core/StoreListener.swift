/// A value as its store sees it: it has to know which core it belongs to.
protocol StoreListener: CoreListener {
    var name: String { get }
    /// From now on the value's content is that of this core.
    func attach(to core: FileCore)
    /// The store's `health` may have changed.
    func healthChanged()
    /// Accepts what was offered last. If `isForced`, it counts even if it was handled before, or is not settled.
    func acceptOffer(isForced: Bool)
}

struct WeakStoreListener: Sendable {
    weak let listener: (any StoreListener)?
}
