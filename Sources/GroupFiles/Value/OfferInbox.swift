/// What a core offered to a ``GroupFile`` last. No part of the generic type: what is looked at for each event would have to
/// find out its own type each time.
struct OfferInbox {
    struct Offer {
        let order: UInt64
        let publication: Publication
    }

    /// Whose offers count.
    var core: FileCore
    var offer: Offer?
    /// Whether a job is on its way that accepts what was offered last, whatever that is when it begins.
    var hasJob = false
    var lastOrder: UInt64 = 0
    /// Up to here offers were accepted, or wait to be settled.
    var handledOrder: UInt64 = 0

    init(_ core: FileCore) {
        self.core = core
    }

    /// False where it comes from a core that is left.
    mutating func take(_ publication: Publication, from core: FileCore) -> Bool {
        guard self.core === core else { return false }
        lastOrder += 1
        offer = Offer(order: lastOrder, publication: publication)
        return true
    }

    /// The newest, where it has not been handled; where it `isForced`, in any case.
    func newest(isForced: Bool) -> (Offer, FileCore)? {
        guard let offer, isForced || offer.order > handledOrder else { return nil }
        return (offer, core)
    }

    mutating func markHandled(_ order: UInt64) { handledOrder = max(handledOrder, order) }
}
