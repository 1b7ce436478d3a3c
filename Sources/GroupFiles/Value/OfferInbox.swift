/// What a core offered to a ``GroupFile`` last. Not a part of that generic type, which would have to find out its own
/// type for each event.
struct OfferInbox {
    struct Offer {
        let order: UInt64
        let publication: Publication
    }

    /// The core whose offers count.
    var core: FileCore
    private(set) var offer: Offer?
    /// Whether there is a job that has not begun; it will accept what was offered last by then.
    var hasJob = false
    /// Up to this one, offers were accepted, or wait to be settled.
    private var handledOrder: UInt64 = 0

    init(_ core: FileCore) {
        self.core = core
    }

    /// False if it comes from a core that was left.
    mutating func take(_ publication: Publication, from core: FileCore) -> Bool {
        guard self.core === core else { return false }
        offer = Offer(order: (offer?.order ?? 0) + 1, publication: publication)
        return true
    }

    /// The newest, if it has not been handled, or if `isForced`.
    func newest(isForced: Bool) -> (Offer, FileCore)? {
        guard let offer, isForced || offer.order > handledOrder else { return nil }
        return (offer, core)
    }

    mutating func markHandled(_ order: UInt64) { handledOrder = max(handledOrder, order) }
}
