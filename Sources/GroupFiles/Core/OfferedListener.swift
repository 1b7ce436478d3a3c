/// A listener that was offered something. The reference is kept until the core's lock is released, even if the listener
/// has nothing left to do: releasing the last reference to a listener removes it from the core.
struct OfferedListener: Sendable {
    let listener: any CoreListener
    let wantsJob: Bool
}
