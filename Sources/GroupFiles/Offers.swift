/// What a core offered to a ``GroupFile`` last. No part of the generic type: what is looked at for each event would have to
/// find out its own type each time.
struct Offers {
    struct Offer {
        let order: UInt64
        let publication: Publication
    }

    /// Whose offers count.
    var core: FileCore?
    var offer: Offer?
    var lastOrder: UInt64 = 0
    /// Up to here offers were accepted, or wait to be settled.
    var handledOrder: UInt64 = 0
}
