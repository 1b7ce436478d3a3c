import SystemCalls

/// What a subscription keeps of its slot: the whole slot until the subscription ends, and then only the call in
/// progress, which a second cancel may have to wait for. So a cancelled subscription keeps neither the channel nor its
/// newest element alive.
final class SlotHandle: Sendable {
    private enum State {
        case subscribed(ChannelSlot)
        case ended(CallInProgress?)
    }

    /// Guarded by its lock.
    private let state: Guarded<State>

    init(_ slot: ChannelSlot) {
        state = Guarded(.subscribed(slot))
    }

    func cancel(mayWait: Bool) {
        let call: CallInProgress?
        switch state.withLock({ $0 }) {
        case .subscribed(let slot):
            // If two cancels come at once, both get the call, unless the call has ended by then.
            call = slot.cancel()
            state.withLock { $0 = .ended(call) }
        case .ended(let left): call = left
        }
        if mayWait { call?.wait() }
    }
}
