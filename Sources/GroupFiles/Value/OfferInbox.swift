/// What a core offered to a ``GroupFile`` last. Separate from that generic type, which would have to look up its own
/// type for each event.
struct OfferInbox {
    struct Offer {
        let order: UInt64
        let publication: Publication
    }

    /// The core whose offers count.
    var core: FileCore {
        didSet { if core !== oldValue { (isOfCore, taken) = (false, nil) } }
    }
    private(set) var offer: Offer?
    /// Whether the offer is from the present core, and not from one that the file has left: each core counts its own
    /// publications.
    private var isOfCore = false
    /// The number of the publication that the file itself took last, such as a change of its own, and its order among
    /// the offers. Without the content, which may be long.
    private var taken: (number: UInt64, order: UInt64)?
    /// Whether there is a job that has not begun; it will accept what was offered last by then.
    private var hasJob = false
    /// Whether a job is decoding; at its end the job checks whether another one is needed. Only one decodes at a time:
    /// if writers are faster than the codec, each value would take a thread, until none is left for anybody else.
    private var isDecoding = false
    /// Offers up to this order were accepted, or wait to be settled.
    private var handledOrder: UInt64 = 0

    init(_ core: FileCore) {
        self.core = core
    }

    /// Takes an offer; false if it comes from a core that the file has left.
    mutating func take(_ publication: Publication, from core: FileCore) -> Bool {
        guard self.core === core else { return false }
        offer = Offer(order: (offer?.order ?? 0) + 1, publication: publication)
        isOfCore = true
        return true
    }

    /// Takes what is offered to a call of the file itself, which goes on without a job.
    mutating func takeForCaller(_ publication: Publication, from core: FileCore) {
        // Most often the publication is new; otherwise, what the call wrote was there already.
        let isOffered =
            self.core === core && isOfCore && offer?.publication.number == publication.number
            && offer?.publication.isSettled == publication.isSettled
        if isOffered || take(publication, from: core), let offer { taken = (publication.number, offer.order) }
    }

    /// The order of the publication that the file itself took, however much has been offered since. Nil if the file has
    /// left the core.
    func order(of number: UInt64, from core: FileCore) -> UInt64? {
        guard self.core === core else { return nil }
        if let offer, isOfCore, offer.publication.number == number { return offer.order }
        return if let taken, taken.number == number { taken.order } else { nil }
    }

    /// The newest offer, if it has not been handled, or if `isForced`.
    func newest(isForced: Bool) -> (Offer, FileCore)? {
        guard let offer, isForced || offer.order > handledOrder else { return nil }
        return (offer, core)
    }

    /// True if a job has to be made for what was offered.
    mutating func wantsJob() -> Bool {
        if hasJob || isDecoding { return false }
        hasJob = true
        return true
    }

    /// What a job has to decode as it begins; nil if nothing is left to do, or if another job is decoding.
    mutating func beginJob() -> (Offer, FileCore)? {
        hasJob = false
        guard !isDecoding, let newest = newest(isForced: false) else { return nil }
        isDecoding = true
        return newest
    }

    /// A job has decoded this offer. True if another job has to be made, for what was offered meanwhile.
    mutating func endJob(after order: UInt64) -> Bool {
        isDecoding = false
        guard let offer, offer.order > max(order, handledOrder) else { return false }
        return wantsJob()
    }

    mutating func markHandled(_ order: UInt64) { handledOrder = max(handledOrder, order) }
}
