import SystemCalls

/// The pure part of a `Channel`: it knows which slot has seen what, and decides what to do next. It calls no foreign
/// code; `ChannelCore` guards it and performs the steps that it returns. It also returns anything whose release may run
/// the user's `deinit`, so that the caller can release that outside of the lock.
///
///     idle ──publish──▶ ready ──take──▶ draining ──take, nothing new──▶ idle
///                         ▲                │ │
///                         └─────pause──────┘ └──cancel──▶ leaving ──take──▶ gone
///
/// A publication makes idle slots ready; for the others it just increments the version, which their owner sees when it
/// takes or pauses. A ready slot with `.caller` delivery is taken by the first publisher that comes to it, because the
/// one that made it ready may be busy with another handler. `leaving` holds the call in progress, for the threads that
/// wait until it ends.
struct ChannelState: Sendable {
    typealias Handler = @Sendable (Payload) -> Void

    enum Phase {
        case idle
        case ready
        case draining
        case leaving(CallInProgress)
    }

    struct Slot: Sendable {
        let id: UInt64
        /// Nil once the slot is removed.
        var subscriber: ChannelSlot?
        var handler: Handler?
        var seen: UInt64
        var phase: Phase
    }

    enum Step {
        case call(Handler, Payload)
        case again
        case rest
        case leave(CallInProgress)
    }

    private(set) var payload: Payload
    /// Counts publications. The first element has version 1, so that 0 can mean that nothing was seen.
    private(set) var version: UInt64 = 1
    private var lastID: UInt64 = 0
    /// In the order of their ids, which is the order of subscription.
    private(set) var slots: [Slot] = []
    /// How many of them have been removed.
    private var goneCount = 0
    /// By id, in no order, because thousands may end at once.
    private(set) var waiters: [UInt64: Waiter] = [:]

    init(_ payload: Payload) {
        self.payload = payload
    }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Also returns the old payload.
    mutating func publish(_ new: Payload) -> (ready: ReadyList, old: Payload) {
        let old = payload
        payload = new
        version += 1
        var ready = ReadyList()
        for index in slots.indices {
            guard let subscriber = slots[index].subscriber else { continue }
            switch slots[index].phase {
            case .idle: slots[index].phase = .ready
            case .ready where subscriber.delivery.isCaller: break
            default: continue
            }
            ready.append(.slot(subscriber))
        }
        for waiter in waiters.values { ready.append(.waiter(waiter)) }
        return (ready, old)
    }

    /// Returns the old payload. The version stays, and so does what each slot has seen.
    mutating func replace(_ new: Payload) -> Payload { exchange(&payload, with: new) }

    // MARK: Slots

    /// With `.caller` delivery and a first call, the subscribing thread owns the slot from the start. Otherwise a
    /// sender that comes in between would make the first call, and `subscribe` might return before that call.
    mutating func insert(_ subscriber: ChannelSlot, _ handler: @escaping Handler, initially: Bool) {
        let phase: Phase = if !initially { .idle } else if subscriber.delivery.isCaller { .draining } else { .ready }
        let seen = initially ? 0 : version
        slots.append(Slot(id: subscriber.id, subscriber: subscriber, handler: handler, seen: seen, phase: phase))
    }

    /// The next step for the slot's owner, which is the thread that started a ready slot, or the subscribing one.
    mutating func take(_ id: UInt64, starting: Bool) -> Step {
        guard let index = index(of: id) else { return .rest }
        switch (slots[index].phase, starting) {
        case (.ready, true), (.draining, false): break
        case (.leaving(let call), false):
            _ = remove(at: index)
            return .leave(call)
        default: return .rest
        }
        guard let handler = slots[index].handler, slots[index].seen < version else {
            slots[index].phase = .idle
            return .rest
        }
        slots[index].seen = version
        slots[index].phase = .draining
        return .call(handler, payload)
    }

    /// Ends the owner's turn after a call. `again` means that something was published meanwhile, and that the slot has
    /// to be started again.
    mutating func pause(_ id: UInt64) -> Step {
        guard let index = index(of: id) else { return .rest }
        if case .leaving(let call) = slots[index].phase {
            _ = remove(at: index)
            return .leave(call)
        }
        let isBehind = slots[index].seen < version
        slots[index].phase = isBehind ? .ready : .idle
        return isBehind ? .again : .rest
    }

    /// Returns the slot that held the handler, for the caller to release, and the call in progress, if there is one.
    mutating func cancel(_ id: UInt64) -> (released: Slot?, call: CallInProgress?) {
        guard let index = index(of: id) else { return (nil, nil) }
        switch slots[index].phase {
        case .idle, .ready: return (remove(at: index), nil)
        case .leaving(let call): return (nil, call)
        case .draining:
            let released = slots[index]
            let call = CallInProgress()
            slots[index].handler = nil  // The owner drops the slot under the lock: the handler must not go with it.
            slots[index].phase = .leaving(call)
            return (released, call)
        }
    }

    /// Returns what the slot held. The slot's place in the array stays until more than half of the slots are gone;
    /// otherwise each removal would move all later slots.
    private mutating func remove(at index: Int) -> Slot {
        let removed = slots[index]
        slots[index].subscriber = nil
        slots[index].handler = nil
        slots[index].phase = .idle
        goneCount += 1
        if goneCount * 2 > slots.count {
            slots.removeAll { $0.subscriber == nil }
            goneCount = 0
        }
        return removed
    }

    /// Nil if the slot has been removed.
    private func index(of id: UInt64) -> Int? {
        var low = 0
        var high = slots.count
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < slots.count && slots[low].id == id && slots[low].subscriber != nil ? low : nil
    }

    // MARK: Waiters

    /// Keeps the waiter until the next publication; false if there has been one since `seen`.
    mutating func enqueue(_ waiter: Waiter, after seen: UInt64) -> Bool {
        guard version == seen else { return false }
        waiters[waiter.id] = waiter
        return true
    }

    mutating func dequeue(_ id: UInt64) -> Waiter? {
        waiters.removeValue(forKey: id)
    }
}
