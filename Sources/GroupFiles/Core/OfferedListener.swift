/// A listener that was offered something. Kept until the core's lock is released, also where there is nothing more to do:
/// whoever lets go of a listener last has it removed from the core.
struct OfferedListener: Sendable {
    let listener: any CoreListener
    let wantsJob: Bool
}
